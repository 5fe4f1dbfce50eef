-- One verdict per assessor, run and question-answer pair, for every pair of the gold standard.
-- A pair whose truth is UNKNOWN stays, as unscored, and is counted, but belongs to neither class.
CREATE VIEW decided AS
SELECT
    assessor,
    run,
    question,
    candidate,
    category,
    CASE
        WHEN failed THEN 'error'
        WHEN absent = 'not asked' THEN absent
        WHEN positive IS NULL THEN 'unscored'
        WHEN absent IS NOT NULL THEN absent
        WHEN accepted IS NULL THEN 'unanswered'
        WHEN accepted = positive THEN 'correct'
        ELSE 'wrong'
    END AS verdict,
    confidence,
    CASE WHEN scored THEN coalesce(score, 0.5) END AS score,
    absent IS NOT NULL AS missing,
    CASE WHEN absent = 'wrong' THEN NOT positive ELSE accepted END AS accepted,
    positive,
    CASE WHEN selects THEN coalesce(selected, FALSE) END AS selected  -- null: nobody was asked to select
FROM met
UNION ALL
-- The two trivial runs, accept everything and reject everything.
SELECT
    p.assessor,
    t.run,
    p.question,
    p.candidate,
    p.category,
    CASE WHEN p.positive IS NULL THEN 'unscored' WHEN t.accepted = p.positive THEN 'correct' ELSE 'wrong' END,
    NULL,
    NULL,
    FALSE,
    t.accepted,
    p.positive,
    CASE WHEN p.selects THEN FALSE END
FROM gathered AS p
CROSS JOIN trivial_runs AS t;

CREATE VIEW verdicts AS
SELECT
    * EXCLUDE (place, counts),
    -- Scores outside 0 to 1 are on another scale than the truth: their distance to it means nothing.
    CASE WHEN score IS NOT NULL AND positive IS NOT NULL
        AND bool_and(coalesce(score BETWEEN 0 AND 1, TRUE)) OVER (PARTITION BY assessor, run)
        THEN exact(power(score - positive::INTEGER, 2))
    END AS squared_error,
    counts AND place = 1 AS first_of_question,
    -- True only on the first pair of a question: every pair was rejected, and rightly so.
    counts
    AND place = 1
    AND bool_and(accepted IS FALSE) FILTER (counts) OVER pairs_of
    AND NOT bool_or(positive) FILTER (counts) OVER pairs_of AS rejected_right
FROM (
    SELECT
        *,
        -- A failed pair comes first only where all failed: a policy that excludes it does not lose the question.
        row_number() OVER (
            PARTITION BY assessor, run, question ORDER BY NOT counts, verdict = 'error', candidate
        ) AS place
    FROM (SELECT *, positive IS NOT NULL AND compared AND verdict <> 'not asked' AS counts
        FROM (SELECT *, {compared} AS compared FROM decided))
)
WINDOW pairs_of AS (PARTITION BY assessor, run, question);
