-- Verdicts on questions that were asked several times, with the weight of each. All questions that a run was asked
-- count the same, whatever the number of their epochs: the weights of a question add up to `times`, the least common
-- multiple of these numbers, or {most} if that is less; the first epoch takes the remainder.
-- An epoch in which a run was not asked a question counts only where it was never asked that question.
WITH asked AS (
    SELECT
        assessor,
        run,
        question,
        bool_or(verdict <> 'not asked') AS ever,
        count(*) FILTER (verdict <> 'not asked') AS often,
        CASE WHEN ever THEN often ELSE count(*) END AS epochs,
        CASE WHEN ever THEN min(epoch) FILTER (verdict <> 'not asked') ELSE min(epoch) END AS first_epoch
    FROM {verdicts}
    GROUP BY ALL
),

runs AS (
    SELECT assessor, run, list_reduce(list(DISTINCT epochs), lambda x, y: least(lcm(x, y), {most})) AS times
    FROM asked
    GROUP BY ALL
)

SELECT
    v.*,
    r.times,
    CASE
        WHEN a.ever AND v.verdict = 'not asked' THEN 0
        WHEN v.epoch = a.first_epoch THEN r.times // a.epochs + r.times % a.epochs
        ELSE r.times // a.epochs
    END AS weight
FROM {verdicts} AS v
INNER JOIN asked AS a ON a.assessor = v.assessor AND a.run = v.run AND a.question = v.question
INNER JOIN runs AS r ON r.assessor = v.assessor AND r.run = v.run
