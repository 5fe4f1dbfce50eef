-- What a rule of the campaign says replaces the verdict: {by_rule}; what is missing may never have been asked: {absent}
CREATE VIEW graded AS
SELECT
    g.assessor,
    g.run,
    g.question,
    k.assessor_name,
    k.question_name,
    g.epoch,
    g.rank,
    NULL::VARCHAR AS what,
    CASE WHEN g.missing THEN {absent} ELSE coalesce({by_rule}, g.verdict) END::verdict AS verdict,
    g.withheld::verdict AS candidate_verdict,
    FALSE AS nil,
    CASE WHEN g.missing THEN {absent} ELSE coalesce({by_rule}, g.verdict) END
        NOT IN ('unanswered', 'error', 'not asked') AS given,
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
