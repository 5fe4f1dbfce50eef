-- The values of a question follow from the verdict on its first answer, or are those of several answers (`shared`).
SELECT
    assessor,
    run,
    question,
    epoch,
    candidate,
    category,
    verdict,
    candidate_verdict,
    confidence,
    score,
    position,
    missing,
    compared,
    by_rule,
    nil,
    has_answer,
    unanswerable,
    coalesce(rightful, FALSE) AS rightful,
    given,
    coalesce(shared.decided, given AND verdict IN ('correct', 'wrong')) AS decided,
    coalesce(shared.partly, given AND verdict = 'partial') AS partly,
    coalesce(shared.any_right, given AND verdict = 'correct') AS any_right,
    coalesce(shared.failed, verdict = 'error') AS failed,
    coalesce(shared.unscored, (verdict = 'unscored')::INTEGER)::INTEGER AS unscored,
    coalesce(shared.reciprocal_rank, (verdict = 'correct')::DOUBLE) AS reciprocal_rank,
    coalesce(shared.reciprocal_rank_best, (verdict IN ('correct', 'unscored'))::DOUBLE) AS reciprocal_rank_best,
    coalesce(
        shared.average_precision,
        CASE WHEN known_answers IS NOT NULL THEN exact((verdict = 'correct')::INTEGER / greatest(known_answers, 1)) END
    ) AS average_precision,
    coalesce(
        shared.average_precision_best,
        CASE WHEN known_answers IS NOT NULL THEN
            exact((verdict IN ('correct', 'unscored'))::INTEGER / greatest(known_answers, 1))
        END
    ) AS average_precision_best,
    coalesce(
        shared.k_value,
        CASE WHEN known_answers IS NOT NULL THEN
            share((verdict = 'correct')::INTEGER - (verdict = 'wrong')::INTEGER, confidence, known_answers)
        END
    ) AS k_value,
    coalesce(shared.k_unscored, share((verdict = 'unscored')::INTEGER, confidence, known_answers)) AS k_unscored,
    coalesce(shared.k_partial, share((verdict = 'partial')::INTEGER, confidence, known_answers)) AS k_partial,
    coalesce(shared.k_error, share((verdict = 'error')::INTEGER, confidence, known_answers)) AS k_error,
    good,
    good_any,
    long_good,
    long_good_partial,
    {others}
FROM {rows}
