-- One verdict per assessor, run and question-answer pair, for every pair of the gold standard.
-- A pair whose truth is UNKNOWN stays, as unscored, and is counted, but belongs to neither class.
CREATE VIEW decided AS
SELECT
    p.assessor,
    r.run,
    p.question,
    p.candidate,
    p.category,
    CASE
        WHEN d.failed THEN 'error'
        WHEN p.positive IS NULL THEN 'unscored'
        WHEN d.accepted IS NULL THEN 'unanswered'
        WHEN d.accepted = p.positive THEN 'correct'
        ELSE 'wrong'
    END AS verdict,
    d.confidence,
    CASE WHEN r.scored THEN coalesce(d.score, 0.5) END AS score,
    d.run IS NULL AS missing,
    d.accepted,
    p.positive,
    CASE WHEN {selects} THEN coalesce(d.selected, FALSE) END AS selected  -- null: nobody was asked to select
FROM pairs AS p
CROSS JOIN runs AS r
LEFT JOIN decisions AS d ON d.assessor = p.assessor AND d.run = r.run AND d.question = p.question AND d.candidate = p.candidate
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
    CASE WHEN {selects} THEN FALSE END
FROM pairs AS p
CROSS JOIN trivial_runs AS t;

CREATE VIEW verdicts AS
SELECT
    * EXCLUDE (place),
    -- Of scores on another scale than the truth's, 0 to 1, the distance to it means nothing.
    CASE WHEN score IS NOT NULL AND positive IS NOT NULL
        AND bool_and(coalesce(score BETWEEN 0 AND 1, TRUE)) OVER (PARTITION BY assessor, run)
        THEN exact(power(score - positive::INTEGER, 2))
    END AS squared_error,
    positive IS NOT NULL AND place = 1 AS first_of_question,
    -- Said once per question, on its first pair: every pair was rejected, and rightly so.
    positive IS NOT NULL
    AND place = 1
    AND bool_and(positive IS NULL OR accepted IS FALSE) OVER pairs_of
    AND NOT bool_or(positive IS TRUE) OVER pairs_of AS rejected_right
FROM (
    SELECT
        *,
        -- A pair that failed comes first only where all did: a policy that excludes it leaves the question.
        row_number() OVER (
            PARTITION BY assessor, run, question ORDER BY positive IS NULL, verdict = 'error', candidate
        ) AS place
    FROM decided
)
WINDOW pairs_of AS (PARTITION BY assessor, run, question);
