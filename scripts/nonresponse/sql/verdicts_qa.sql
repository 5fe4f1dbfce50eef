-- One verdict per assessor, run, question and epoch: that of rank 1; the per-question values use all ranks.
-- An answer's share in k: its self-score over the number of answers, known or given, whichever is larger.
CREATE MACRO share(counts, confidence, answers) AS exact(counts * confidence / greatest(answers, 1));

CREATE VIEW ranked AS
SELECT
    *,
    -- An answer given before is neither right nor wrong again.
    (what IS NULL AND NOT nil)
    OR row_number() OVER (PARTITION BY assessor, run, question, epoch, what, nil ORDER BY rank) = 1 AS fresh
FROM graded
SEMI JOIN (SELECT DISTINCT run, question, epoch FROM several_ranks) USING (run, question, epoch);

CREATE VIEW counted AS
SELECT
    *,
    sum((fresh AND verdict = 'correct')::INTEGER) OVER up_to AS hits,
    sum((fresh AND verdict IN ('correct', 'unscored'))::INTEGER) OVER up_to AS possible_hits
FROM ranked
WINDOW up_to AS (PARTITION BY assessor, run, question, epoch ORDER BY rank);

-- Only questions that some run answered more than once come here.
CREATE VIEW several AS
SELECT
    assessor,
    run,
    question,
    epoch,
    bool_or(given) AS given,
    bool_or(given AND verdict IN ('correct', 'wrong')) AS decided,
    bool_or(given AND verdict = 'partial') AS partly,
    bool_or(given AND verdict = 'correct') AS any_right,
    bool_or(verdict = 'error') AS failed,
    count(*) FILTER (WHERE verdict = 'unscored') AS unscored,
    coalesce(max(exact(1 / rank)) FILTER (WHERE verdict = 'correct'), 0) AS reciprocal_rank,
    coalesce(max(exact(1 / rank)) FILTER (WHERE verdict IN ('correct', 'unscored')), 0) AS reciprocal_rank_best,
    coalesce(sum(exact(hits / (rank * greatest(known_answers, 1)))) FILTER (WHERE fresh AND verdict = 'correct'), 0)
        AS average_precision,
    least(
        coalesce(
            sum(exact(possible_hits / (rank * greatest(known_answers, 1))))
                FILTER (WHERE fresh AND verdict IN ('correct', 'unscored')),
            0
        ),
        1
    ) AS average_precision_best,
    sum(share((fresh AND verdict = 'correct')::INTEGER - (fresh AND verdict = 'wrong')::INTEGER, confidence, answers))
        AS k_value,
    sum(share((fresh AND verdict = 'unscored')::INTEGER, confidence, answers)) AS k_unscored,
    sum(share((fresh AND verdict = 'partial')::INTEGER, confidence, answers)) AS k_partial,
    sum(share((fresh AND verdict = 'error')::INTEGER, confidence, answers)) AS k_error,
    bool_or(label = 'good') AS good,
    bool_or(label IN ('good', 'long', 'partial')) AS good_any,
    bool_or(fragment AND label = 'good') AS long_good,
    bool_or(fragment AND label IN ('good', 'partial')) AS long_good_partial
FROM (
    SELECT
        *,
        greatest(
            known_answers,
            count(*) FILTER (WHERE verdict NOT IN ('unanswered', 'error'))
                OVER (PARTITION BY assessor, run, question, epoch)
        ) AS answers
    FROM counted
)
GROUP BY assessor, run, question, epoch;

CREATE VIEW silent AS
-- Questions that a run does not mention, or not in each of its epochs; looked for only in runs that miss some.
SELECT k.assessor, s.run, k.question, e.epoch, k.category, k.has_answer, k.known_answers
FROM known AS k
INNER JOIN short_runs AS s ON s.assessor = k.assessor
INNER JOIN epochs AS e ON e.run = s.run
ANTI JOIN first_ranks AS f ON f.run = s.run AND f.question = k.question AND f.epoch = e.epoch {same};

-- What is known of each question's first answer, of those that a run leaves out too.
CREATE VIEW first_answers AS
SELECT
    assessor_name AS assessor,
    run::run_name AS run,
    question_name AS question,
    epoch,
    category,
    verdict,
    candidate_verdict,
    confidence,
    score,
    position,
    missing,
    by_rule,
    nil,
    given,
    label,
    fragment,
    has_answer,
    known_answers
FROM graded
WHERE rank = 1
UNION ALL
SELECT
    assessor::assessor_name,
    run::run_name,
    question::question_name,
    epoch,
    category,
    'unanswered'::verdict,
    NULL,
    NULL,
    NULL,
    NULL,
    TRUE,
    FALSE,
    FALSE,
    FALSE,
    NULL,
    NULL,
    has_answer,
    known_answers
FROM silent;

-- What follows from the first answers alone follows after sorting: what is sorted is small.
CREATE VIEW first_values AS
SELECT
    assessor,
    run,
    question,
    epoch,
    '' AS candidate,
    category,
    verdict,
    candidate_verdict,
    confidence,
    score,
    position,
    missing,
    by_rule,
    nil,
    has_answer,
    given,
    given AND verdict IN ('correct', 'wrong') AS decided,
    given AND verdict = 'partial' AS partly,
    given AND verdict = 'correct' AS any_right,
    verdict = 'error' AS failed,
    (verdict = 'unscored')::INTEGER AS unscored,
    (verdict = 'correct')::DOUBLE AS reciprocal_rank,
    (verdict IN ('correct', 'unscored'))::DOUBLE AS reciprocal_rank_best,
    CASE WHEN known_answers IS NOT NULL THEN exact((verdict = 'correct')::INTEGER / greatest(known_answers, 1)) END
        AS average_precision,
    CASE WHEN known_answers IS NOT NULL THEN
        exact((verdict IN ('correct', 'unscored'))::INTEGER / greatest(known_answers, 1))
    END AS average_precision_best,
    CASE WHEN known_answers IS NOT NULL THEN
        share((verdict = 'correct')::INTEGER - (verdict = 'wrong')::INTEGER, confidence, known_answers)
    END AS k_value,
    share((verdict = 'unscored')::INTEGER, confidence, known_answers) AS k_unscored,
    share((verdict = 'partial')::INTEGER, confidence, known_answers) AS k_partial,
    share((verdict = 'error')::INTEGER, confidence, known_answers) AS k_error,
    -- ROMIP's labels; null where the assessor has others.
    CASE WHEN romip THEN coalesce(label = 'good', FALSE) END AS good,
    CASE WHEN romip THEN coalesce(label IN ('good', 'long', 'partial'), FALSE) END AS good_any,
    CASE WHEN romip THEN coalesce(fragment AND label = 'good', FALSE) END AS long_good,
    CASE WHEN romip THEN coalesce(fragment AND label IN ('good', 'partial'), FALSE) END AS long_good_partial
    {besides}
FROM (SELECT *, list_contains(getvariable('romip'), assessor::VARCHAR) AS romip FROM (
{source}
));
