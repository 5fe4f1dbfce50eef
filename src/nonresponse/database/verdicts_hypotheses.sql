-- One verdict per assessor, run and question; `similarity` is the task's own macro, and the task's own view decides
-- which columns stay. A question without a hypothesis has a similarity of 0.
CREATE VIEW first_and_all AS
SELECT
    j.assessor,
    p.run,
    j.question,
    q.category,
    j.answer AS reference,
    any_value(q.runs) AS runs,
    count(r.run) = 0 AS missing,
    coalesce(bool_or(r.failed), FALSE) AS failed,
    any_value(r.answer) FILTER (WHERE r.rank = 1) AS answer,
    any_value(r.confidence) FILTER (WHERE r.rank = 1) AS confidence,
    -- The confidences may sum to a little more than 1.
    least(coalesce(sum(exact(r.confidence * similarity(r.answer, j.answer))), 0), 1) AS similarity_c
FROM judgments AS j
CROSS JOIN (SELECT DISTINCT run FROM responses) AS p
INNER JOIN questions AS q ON q.question = j.question
LEFT JOIN responses AS r ON r.run = p.run AND r.question = j.question
GROUP BY j.assessor, p.run, j.question, q.category, j.answer;

-- What is missing may never have been asked: {absent}
CREATE VIEW judged AS
SELECT
    assessor,
    run,
    question,
    '' AS candidate,
    category,
    CASE
        WHEN failed THEN 'error'
        WHEN missing THEN {absent}
        WHEN answer IS NULL THEN 'unanswered'
        WHEN answer = reference THEN 'correct'
        ELSE 'wrong'
    END::verdict AS verdict,
    confidence,
    missing,
    answer,
    coalesce(exact(similarity(answer, reference)), 0) AS similarity,
    similarity_c,
    reference
FROM first_and_all;
