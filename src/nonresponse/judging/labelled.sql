-- The verdict on each case, with ROMIP's labels; these are null where the assessor has others.
SELECT
    *,
    CASE WHEN romip THEN coalesce(label = 'good', FALSE) END AS good,
    CASE WHEN romip THEN coalesce(label IN ('good', 'long', 'partial'), FALSE) END AS good_any,
    CASE WHEN romip THEN coalesce(fragment AND label = 'good', FALSE) END AS long_good,
    CASE WHEN romip THEN coalesce(fragment AND label IN ('good', 'partial'), FALSE) END AS long_good_partial
FROM ({cases})
