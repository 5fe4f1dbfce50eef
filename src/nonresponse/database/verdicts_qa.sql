-- One verdict per assessor, run, question and epoch: that of rank 1, also for questions that a run leaves out. The
-- values of a question follow from these columns (values_qa.sql). Whether runs are compared on it:
-- {compared}
CREATE VIEW verdicts AS
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
    {compared} AS compared,
    by_rule,
    nil,
    has_answer,
    known_answers,
    given,
    -- ROMIP's labels; null where the assessor has others.
    CASE WHEN romip THEN coalesce(label = 'good', FALSE) END AS good,
    CASE WHEN romip THEN coalesce(label IN ('good', 'long', 'partial'), FALSE) END AS good_any,
    CASE WHEN romip THEN coalesce(fragment AND label = 'good', FALSE) END AS long_good,
    CASE WHEN romip THEN coalesce(fragment AND label IN ('good', 'partial'), FALSE) END AS long_good_partial
FROM (
    SELECT *, list_contains(getvariable('romip'), assessor::VARCHAR) AS romip
    FROM (
        SELECT
            assessor_name AS assessor,
            run::run_name AS run,
            question_name AS question,
            * EXCLUDE (assessor, run, question, assessor_name, question_name, rank, what)
        FROM graded
        WHERE rank = 1
        UNION ALL BY NAME
        SELECT
            assessor_name AS assessor,
            run::run_name AS run,
            question_name AS question,
            * EXCLUDE (assessor, run, question, assessor_name, question_name, runs),
            TRUE AS missing,
            FALSE AS by_rule,
            FALSE AS nil,
            verdict = 'wrong' AS given
        FROM silent
    )
);
