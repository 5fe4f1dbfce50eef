-- What the judgments say, in our words; and per assessor and question, whether it has an answer:
-- the question file says so, or some answer to it was judged right (pooling).
-- The variables correct and partial hold lists of labels.
CREATE TABLE judged AS
SELECT DISTINCT -- the same line twice is one judgment
    *,
    CASE
        WHEN list_contains(getvariable('correct'), label) THEN 'correct'
        WHEN list_contains(getvariable('partial'), label) THEN 'partial'
        ELSE 'wrong'
    END::verdict AS verdict
FROM judgments;

CREATE TABLE known AS
WITH right_answers AS (
    -- At least one, where the judgments say which run was right but not what it answered.
    SELECT assessor, question, greatest(count(DISTINCT coalesce(answer, document)), 1) AS known_answers
    FROM judged
    WHERE verdict = 'correct'
    GROUP BY assessor, question
)

SELECT
    a.assessor,
    q.question,
    q.category,
    coalesce(q.has_answer, FALSE) OR coalesce(r.known_answers, 0) > 0 AS has_answer,
    coalesce(r.known_answers, 0) AS known_answers
FROM questions AS q
CROSS JOIN assessors AS a
LEFT JOIN right_answers AS r ON r.assessor = a.assessor AND r.question = q.question;
