-- Where a question has several answers, the values that all of them share in take the place of those of the first.
SELECT
    * EXCLUDE (s, known_answers, romip)
    REPLACE (
        coalesce(s.given, given) AS given,
        coalesce(s.decided, decided) AS decided,
        coalesce(s.partly, partly) AS partly,
        coalesce(s.any_right, any_right) AS any_right,
        coalesce(s.failed, failed) AS failed,
        coalesce(s.unscored, unscored)::INTEGER AS unscored,
        coalesce(s.reciprocal_rank, reciprocal_rank) AS reciprocal_rank,
        coalesce(s.reciprocal_rank_best, reciprocal_rank_best) AS reciprocal_rank_best,
        CASE WHEN known_answers IS NOT NULL THEN coalesce(s.average_precision, average_precision) END
            AS average_precision,
        CASE WHEN known_answers IS NOT NULL THEN coalesce(s.average_precision_best, average_precision_best) END
            AS average_precision_best,
        CASE WHEN known_answers IS NOT NULL THEN coalesce(s.k_value, k_value) END AS k_value,
        coalesce(s.k_unscored, k_unscored) AS k_unscored,
        coalesce(s.k_partial, k_partial) AS k_partial,
        coalesce(s.k_error, k_error) AS k_error,
        CASE WHEN romip THEN coalesce(s.good, good) END AS good,
        CASE WHEN romip THEN coalesce(s.good_any, good_any) END AS good_any,
        CASE WHEN romip THEN coalesce(s.long_good, long_good) END AS long_good,
        CASE WHEN romip THEN coalesce(s.long_good_partial, long_good_partial) END AS long_good_partial
    )
FROM first_values
