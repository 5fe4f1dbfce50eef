-- The verdict on each first answer: its cell, all columns with few values as one number, and columns of numbers.
WITH labelled AS (
    SELECT
        *,
        -- ROMIP's labels; null where the assessor has others.
        CASE WHEN romip THEN coalesce(label = 'good', FALSE) END AS good,
        CASE WHEN romip THEN coalesce(label IN ('good', 'long', 'partial'), FALSE) END AS good_any,
        CASE WHEN romip THEN coalesce(fragment AND label = 'good', FALSE) END AS long_good,
        CASE WHEN romip THEN coalesce(fragment AND label IN ('good', 'partial'), FALSE) END AS long_good_partial
    FROM (SELECT *, {romip} AS romip FROM graded WHERE rank = 1)
)

SELECT {cell} AS cell, {packed} AS packed, {values}
FROM {rows}
