-- Verdicts on questions that were asked several times, with the weight of each: all questions that a run was asked count
-- the same, whatever the number of their epochs. The weights of a question add up to `times`, the least number that all
-- these numbers divide; or {most}, where that is larger, whose shares are as equal as whole numbers can be.
-- An epoch in which a run was not asked a question counts only where it was never asked that question.
WITH epochs AS (
    SELECT
        *,
        verdict <> 'not asked' AS was_asked,
        rank() OVER (PARTITION BY assessor, run, question ORDER BY was_asked DESC) = 1 AS counts,
        count(*) OVER (PARTITION BY assessor, run, question, was_asked) AS number,
        row_number() OVER (PARTITION BY assessor, run, question, was_asked ORDER BY epoch) AS place
    FROM {verdicts}
),

runs AS (
    SELECT assessor, run, list_reduce(list(DISTINCT number), lambda x, y: least(lcm(x, y), {most})) AS times
    FROM epochs
    WHERE counts
    GROUP BY ALL
)

SELECT
    * EXCLUDE (was_asked, counts, number, place),
    CASE WHEN counts THEN place * times // number - (place - 1) * times // number ELSE 0 END AS weight
FROM epochs
INNER JOIN runs USING (assessor, run)
