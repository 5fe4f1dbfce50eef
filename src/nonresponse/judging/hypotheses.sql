-- The verdict of each run of a shard on each question, by the task's own macro `similarity`. A question without a
-- hypothesis has a similarity of 0. What is missing may never have been asked: {absent}
WITH first_and_all AS (
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
    GROUP BY j.assessor, p.run, j.question, q.category, j.answer
)

SELECT {cell} AS cell, {packed} AS packed, {values}
FROM (
    SELECT
        *,
        verdict <> 'not asked' AS asked,
        coalesce(exact(similarity(answer, reference)), 0) AS similarity
    FROM (
        SELECT
            *,
            CASE
                WHEN failed THEN 'error'
                WHEN missing THEN {absent}
                WHEN answer IS NULL THEN 'unanswered'
                WHEN answer = reference THEN 'correct'
                ELSE 'wrong'
            END AS verdict
        FROM first_and_all
    )
)
