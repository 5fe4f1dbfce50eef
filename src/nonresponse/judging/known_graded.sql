-- What is known of each question of graded responses before they are looked at. A key tells that there is a right
-- answer, not how many there are.
CREATE TABLE known AS
SELECT
    question,
    row_number() OVER (ORDER BY question) - 1 AS place,
    coalesce(named.category, responses.category) AS category,
    coalesce(named.has_answer, FALSE) OR coalesce(responses.has_answer, FALSE) AS has_answer,
    named.runs
FROM questions AS named
FULL JOIN (
    SELECT question, min(category) AS category, bool_or(gold <> '') AS has_answer
    FROM graded_responses
    GROUP BY question
) AS responses USING (question);
