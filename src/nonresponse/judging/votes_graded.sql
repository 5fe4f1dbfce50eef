-- The vote on graded responses as one more assessor, whose verdict is the elected one, or unscored. All other columns
-- are from the row of the first assessor by name.
CREATE OR REPLACE TABLE voted AS
WITH responses AS (
    SELECT
        run,
        question,
        epoch,
        rank,
        candidate,
        list(verdict ORDER BY verdict) FILTER (WHERE verdict <> 'unscored') AS votes,
        list(withheld ORDER BY withheld) FILTER (WHERE withheld <> 'unscored') AS of_withheld,
        any_value(verdict) FILTER (WHERE assessor = getvariable('ties')) AS decided,
        any_value(withheld) FILTER (WHERE assessor = getvariable('ties')) AS decided_withheld,
        count(withheld) > 0 AS handed_in,
        min(assessor) AS first_assessor
    FROM {source}
    GROUP BY run, question, epoch, rank, candidate
),

elected AS (
    SELECT
        *,
        coalesce({elected}, decided, 'unscored') AS verdict,
        CASE WHEN handed_in THEN coalesce({elected_withheld}, decided_withheld, 'unscored') END AS withheld
    FROM responses
)

SELECT g.* REPLACE (getvariable('assessor') AS assessor, e.verdict AS verdict, e.withheld AS withheld)
FROM {source} AS g
INNER JOIN elected AS e
    ON e.run = g.run AND e.question = g.question AND e.epoch = g.epoch AND e.rank = g.rank
    AND e.candidate IS NOT DISTINCT FROM g.candidate AND e.first_assessor = g.assessor;
