-- The verdict on each case of a graded response. What a rule of the campaign says, `by_rule`, replaces it.
-- A question whose first answer is missing may never have been asked; at a lower rank there is no answer.
SELECT
    * EXCLUDE (said, withheld, by_rule),
    said::verdict AS verdict,
    withheld::verdict AS candidate_verdict,
    said NOT IN ('unanswered', 'error', 'not asked') AS given,
    FALSE AS nil,
    NULL::BOOLEAN AS fragment,
    NULL::VARCHAR AS label,
    NOT missing AS asked,
    by_rule IS NOT NULL AS by_rule
FROM (
    SELECT
        * EXCLUDE (verdict),
        CASE
            WHEN NOT missing THEN coalesce(by_rule, verdict)
            WHEN NOT first THEN 'unanswered'
            WHEN NOT was_asked THEN 'not asked'
            ELSE '{absent}'
        END AS said
    FROM {rows}
)
