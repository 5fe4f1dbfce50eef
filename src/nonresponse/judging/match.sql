-- Every response with each assessor's judgment of it. As TREC does, an answer meets its judgment
-- by the question and by whichever of run, document and answer string the campaign's judgments name: {match}
-- A withheld candidate is looked up just as the answer would have been; a document alone is a candidate only where the
-- judgments name no answers: {withheld}. A withheld NIL is right where the question has no answer, as NIL is.
-- A rule of the campaign that decides an answer takes precedence over judgments: {by_rule}
CREATE VIEW graded AS
SELECT
    a.assessor,
    r.run,
    r.question,
    r.epoch,
    r.rank,
    CASE WHEN r.answered AND NOT r.nil AND {by_rule} IS NULL THEN {what} END AS what, -- null if withheld
    CASE
        WHEN {by_rule} IS NOT NULL THEN {by_rule}::verdict
        WHEN r.failed THEN 'error'::verdict
        WHEN NOT r.answered THEN 'unanswered'::verdict
        WHEN r.nil AND k.has_answer THEN 'wrong'::verdict
        WHEN r.nil THEN 'correct'::verdict
        ELSE coalesce(j.verdict, '{unlisted}'::verdict)
    END AS verdict,
    CASE
        WHEN {by_rule} IS NOT NULL OR r.answered OR r.failed THEN NULL
        WHEN r.nil AND k.has_answer THEN 'wrong'::verdict
        WHEN r.nil THEN 'correct'::verdict
        WHEN {withheld} THEN coalesce(j.verdict, '{unlisted}'::verdict)
    END AS candidate_verdict,
    r.answered AND r.nil AS nil,
    CASE WHEN {by_rule} IS NULL THEN r.answered AND NOT r.nil ELSE {by_rule} = 'wrong' END AS given,
    r.confidence,
    r.score,
    r.position,
    r.fragment,
    CASE WHEN r.answered AND NOT r.nil AND {by_rule} IS NULL THEN j.label END AS label,
    FALSE AS missing,
    TRUE AS asked,
    {by_rule} IS NOT NULL AS by_rule,
    k.known_answers,
    k.item,
    k.place
FROM responses AS r
CROSS JOIN assessors AS a
INNER JOIN known AS k ON k.assessor = a.assessor AND k.question = r.question
LEFT JOIN judged_items AS j ON j.item = k.item {match};
