-- What a rule of the campaign says replaces the verdict: {by_rule}
-- A question whose first answer is missing may never have been asked: {absent}; at a lower rank there is no answer.
CREATE VIEW graded AS
SELECT
    * EXCLUDE (said, withheld, runs),
    said::verdict AS verdict,
    withheld::verdict AS candidate_verdict,
    said NOT IN ('unanswered', 'error', 'not asked') AS given
FROM (
    SELECT
        g.assessor,
        g.run,
        question,
        g.epoch,
        g.rank,
        NULL::VARCHAR AS what,
        CASE
            WHEN NOT g.missing THEN coalesce({by_rule}, g.verdict)
            WHEN g.rank = 1 THEN {absent}
            ELSE 'unanswered'
        END AS said,
        g.withheld,
        FALSE AS nil,
        g.confidence,
        g.score,
        g.position,
        NULL::BOOLEAN AS fragment,
        NULL::VARCHAR AS label,
        g.missing,
        NOT g.missing AS asked,
        {by_rule} IS NOT NULL AS by_rule,
        NULL::BIGINT AS known_answers,
        k.place,
        k.runs
    FROM graded_responses AS g
    INNER JOIN known AS k USING (question)
);
