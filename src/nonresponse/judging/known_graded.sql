-- What is known of each question of graded responses before they are looked at. A key tells that there is a right
-- answer, not how many there are. unanswerable: the data say that there is none.
CREATE TABLE known AS
SELECT
    question,
    coalesce(named.category, responses.category) AS category,
    coalesce(named.has_answer, FALSE) OR coalesce(responses.has_answer, FALSE) AS has_answer,
    NOT coalesce(named.has_answer, responses.has_answer, TRUE)
    AND NOT coalesce(responses.has_answer, FALSE) AS unanswerable,
    named.runs
FROM questions AS named
FULL JOIN (
    SELECT question, min(category) AS category, bool_or(gold <> '') AS has_answer
    FROM graded_responses
    GROUP BY question
) AS responses USING (question);
