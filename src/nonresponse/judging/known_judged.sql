-- Per assessor and question, whether it has an answer: the question file says
-- so, or some answer to it was judged right (pooling), whatever labels count as correct, or NIL was judged wrong. A
-- question is unanswerable if it has no answer, and the question file or a judgment of NIL says so. A judgment is of
-- NIL where it says so, or where it names a run whose first answer is NIL.
-- The variables right_labels, correct and partial hold lists of labels.
CREATE TABLE known AS
WITH marked AS (
    SELECT
        *,
        coalesce(answer = '', {of_nil}, FALSE) AS of_nil
    FROM judged
),

pooled AS (
    SELECT
        assessor,
        question,
        bool_or(list_contains(getvariable('right_labels'), label) <> of_nil) AS found,
        bool_or(list_contains(getvariable('right_labels'), label) AND of_nil) AS nil_right,
        -- At least one, where the judgments say which run was right but not what it answered.
        CASE WHEN bool_or(verdict = 'correct' AND NOT of_nil)
            THEN greatest(
                count(DISTINCT coalesce(answer, document)) FILTER (WHERE verdict = 'correct' AND NOT of_nil), 1
            )
        END AS known_answers
    FROM marked
    GROUP BY assessor, question
)

SELECT
    a.assessor,
    q.question,
    q.category,
    coalesce(q.has_answer, FALSE) OR coalesce(p.found, FALSE) AS has_answer,
    (NOT coalesce(q.has_answer, TRUE) OR coalesce(p.nil_right, FALSE)) AND NOT coalesce(p.found, FALSE)
    AND NOT coalesce(q.has_answer, FALSE) AS unanswerable,
    coalesce(p.known_answers, 0) AS known_answers,
    q.runs
FROM questions AS q
CROSS JOIN assessors AS a
LEFT JOIN pooled AS p ON p.assessor = a.assessor AND p.question = q.question;
