-- The verdict of an assessor on each case of a response: `label` is that of its judgment, "" where there is none.
-- A withheld NIL is right where the question has no answer, as NIL is. `withheld`: a candidate for an answer was.
-- A rule of the campaign that decides an answer, `by_rule`, takes precedence over judgments.
SELECT
    * EXCLUDE (answered, failed, withheld, nil, by_rule, label, judged),
    CASE
        WHEN by_rule IS NOT NULL THEN by_rule::verdict
        WHEN failed THEN 'error'::verdict
        WHEN NOT answered THEN 'unanswered'::verdict
        WHEN nil AND has_answer THEN 'wrong'::verdict
        WHEN nil THEN 'correct'::verdict
        ELSE judged
    END AS verdict,
    CASE
        WHEN by_rule IS NOT NULL OR answered OR failed THEN NULL
        WHEN nil AND has_answer THEN 'wrong'::verdict
        WHEN nil THEN 'correct'::verdict
        WHEN withheld THEN judged
    END AS candidate_verdict,
    answered AND nil AS nil,
    CASE WHEN by_rule IS NULL THEN answered AND NOT nil ELSE by_rule = 'wrong' END AS given,
    CASE WHEN answered AND NOT nil AND by_rule IS NULL THEN nullif(label, '') END AS label,
    FALSE AS missing,
    TRUE AS asked,
    by_rule IS NOT NULL AS by_rule
FROM (SELECT *, CASE WHEN label = '' THEN '{unlisted}' ELSE called(label) END::verdict AS judged FROM {rows})
