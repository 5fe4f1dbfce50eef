-- The verdict on each decision about a pair, by the truth of the pair: its cell, and all columns with few values.
SELECT {cell} AS cell, {packed} AS packed, confidence, score
FROM (
    SELECT
        d.assessor,
        d.run,
        p.item,
        d.confidence,
        d.score,
        CASE
            WHEN d.failed THEN 'error'
            WHEN p.positive IS NULL THEN 'unscored'
            WHEN d.accepted IS NULL THEN 'unanswered'
            WHEN d.accepted = p.positive THEN 'correct'
            ELSE 'wrong'
        END AS verdict,
        FALSE AS missing,
        TRUE AS asked,
        d.accepted,
        p.positive,
        CASE WHEN getvariable('selects') THEN coalesce(d.selected, FALSE) END AS selected -- null: nobody had to select
    FROM decisions AS d
    INNER JOIN pairs AS p ON p.assessor = d.assessor AND p.question = d.question AND p.candidate = d.candidate
)
