-- Every response under the official judgments, in the schema of Every Eval Ever 0.3.0; `metadata` has our own fields
-- (docs/responses.md).
CREATE VIEW texts AS {texts};

CREATE VIEW ruling AS
SELECT run, question, epoch, rule, phrase FROM ruled
WHERE rank = 1 AND coalesce(assessor, getvariable('official')) = getvariable('official');

CREATE VIEW measured AS
SELECT run, string_agg(DISTINCT measure, ' | ' ORDER BY measure) AS measure FROM imports
WHERE measure <> ''
GROUP BY run;

CREATE VIEW exported AS
SELECT
    '0.3.0' AS schema_version,
    getvariable('campaign') || '/' || v.run AS evaluation_id,
    v.run AS model_id,
    getvariable('campaign') AS evaluation_name,
    v.question AS sample_id,
    sha256(t.asked || coalesce(t.target, '')) AS sample_hash,
    'single_turn' AS interaction_type,
    {'raw': coalesce(t.asked, ''), 'reference': list_filter([t.target], lambda text: text IS NOT NULL)} AS input,
    {'raw': list_filter([{answer}], lambda text: text IS NOT NULL)} AS output,
    []::VARCHAR[] AS answer_attribution,
    {'score': (v.verdict = 'correct')::DOUBLE, 'is_correct': v.verdict = 'correct'} AS evaluation,
    CASE WHEN v.verdict = 'error' THEN 'the system failed' END AS error,
    {
        'nonresponse_state': CASE WHEN {rightful} THEN 'unanswered' ELSE v.verdict::VARCHAR END,
        'rule': r.rule,
        'phrase': r.phrase,
        'field': CASE
            WHEN r.rule IS NOT NULL THEN NULL
            WHEN v.missing THEN 'missing'
            ELSE coalesce(m.measure, getvariable('field'))
        END,
        'category': v.category,
        'epoch': CASE WHEN {epoch} > 0 THEN {epoch}::VARCHAR END,
        'candidate': nullif(v.candidate, ''),
        'confidence': v.confidence::VARCHAR,
        'explanation': t.explanation,
        'metadata': t.metadata
    } AS metadata
FROM verdicts AS v
LEFT JOIN texts AS t
    ON t.run = v.run AND t.question = v.question AND t.epoch = {epoch} AND t.candidate = v.candidate
LEFT JOIN ruling AS r ON r.run = v.run AND r.question = v.question AND r.epoch = {epoch}
LEFT JOIN measured AS m ON m.run = v.run
WHERE v.assessor = getvariable('official') AND v.verdict <> 'not asked'
ORDER BY v.run, v.question, {epoch}, v.candidate;
