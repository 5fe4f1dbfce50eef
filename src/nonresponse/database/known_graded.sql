-- Graded responses. A key tells that there is a right answer, not how many there are: known_answers
-- is null.
CREATE TABLE gathered AS
WITH asked AS (
    SELECT question, any_value(category) AS category, any_value(gold) <> '' AS has_answer
    FROM graded_responses
    GROUP BY question
    UNION ALL
    SELECT question, category, NULL FROM questions ANTI JOIN graded_responses USING (question)
),

pooled AS (
    SELECT assessor, question, bool_or(verdict = 'correct' OR withheld = 'correct') AS found
    FROM graded_responses
    GROUP BY assessor, question
)

SELECT
    a.assessor,
    q.question,
    coalesce(named.category, q.category) AS category,
    coalesce(named.has_answer, FALSE) OR coalesce(q.has_answer, FALSE) OR coalesce(p.found, FALSE) AS has_answer,
    NULL::BIGINT AS known_answers,
    named.runs
FROM asked AS q
CROSS JOIN assessors AS a
LEFT JOIN questions AS named ON named.question = q.question
LEFT JOIN pooled AS p ON p.assessor = a.assessor AND p.question = q.question;
