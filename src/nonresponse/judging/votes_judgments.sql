-- The vote as judgments of one more assessor: the verdict that enough assessors gave, else that of the assessor who
-- decides ties. The label is the most frequent one with that verdict; of several, the first in alphabetical order. An
-- answer without an elected verdict has no judgment.
CREATE OR REPLACE TABLE voted AS
WITH judged AS (
    SELECT DISTINCT *, called(label) AS verdict
    FROM {source}
),

items AS (
    SELECT
        question,
        candidate,
        run,
        document,
        answer,
        list(verdict ORDER BY verdict) AS votes,
        list({'verdict': verdict, 'label': label} ORDER BY label) AS cast_votes,
        any_value(verdict) FILTER (WHERE assessor = getvariable('ties')) AS decided
    FROM judged
    GROUP BY question, candidate, run, document, answer
),

elected AS (SELECT *, coalesce({elected}, decided) AS verdict FROM items)

SELECT
    getvariable('assessor') AS assessor,
    * EXCLUDE (votes, cast_votes, decided, verdict),
    list_aggregate(
        list_transform(list_filter(cast_votes, lambda vote: vote.verdict = verdict), lambda vote: vote.label), 'mode'
    ) AS label
FROM elected
WHERE verdict IS NOT NULL;
