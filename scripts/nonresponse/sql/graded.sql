-- Graded responses. A key tells that there is a right answer, not how many there are: known_answers
-- is null.
CREATE TABLE known AS
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
    NULL::BIGINT AS known_answers
FROM asked AS q
CROSS JOIN assessors AS a
LEFT JOIN questions AS named ON named.question = q.question
LEFT JOIN pooled AS p ON p.assessor = a.assessor AND p.question = q.question;

-- What a rule of the campaign says replaces the verdict: {by_rule}
CREATE VIEW graded AS
SELECT
    g.assessor,
    g.run,
    g.question,
    g.epoch,
    g.rank,
    NULL::VARCHAR AS what,
    coalesce({by_rule}, g.verdict)::verdict AS verdict,
    g.withheld::verdict AS candidate_verdict,
    FALSE AS nil,
    coalesce({by_rule}, g.verdict) NOT IN ('unanswered', 'error') AS given,
    g.confidence,
    g.score,
    g.position,
    NULL::BOOLEAN AS fragment,
    NULL::VARCHAR AS label,
    g.missing,
    {by_rule} IS NOT NULL AS by_rule,
    k.has_answer,
    k.known_answers,
    k.category
FROM graded_responses AS g
INNER JOIN known AS k ON k.assessor = g.assessor AND k.question = g.question;
