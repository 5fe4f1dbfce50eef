-- The verdicts on first answers to questions that a run answered more than once, with the values that all its answers
-- contribute to. `what` identifies an answer, and is null where none was given.
WITH ranked AS (
    SELECT
        *,
        -- A repeated answer does not count again, as right or as wrong.
        (what IS NULL AND NOT nil) OR row_number() OVER (PARTITION BY cell, what, nil ORDER BY rank) = 1 AS fresh
    FROM labelled
),

counted AS (
    SELECT
        *,
        sum((fresh AND verdict = 'correct')::INTEGER) OVER up_to AS hits,
        sum((fresh AND verdict IN ('correct', 'unscored'))::INTEGER) OVER up_to AS possible_hits
    FROM ranked
    WINDOW up_to AS (PARTITION BY cell ORDER BY rank)
),

several AS (
    SELECT
        cell,
        bool_or(given) AS given,
        bool_or(label = 'good') AS good,
        bool_or(label IN ('good', 'long', 'partial')) AS good_any,
        bool_or(fragment AND label = 'good') AS long_good,
        bool_or(fragment AND label IN ('good', 'partial')) AS long_good_partial,
        bool_or(given AND verdict IN ('correct', 'wrong')) AS decided,
        bool_or(given AND verdict = 'partial') AS partly,
        bool_or(given AND verdict = 'correct') AS any_right,
        bool_or(verdict = 'error') AS failed,
        count(*) FILTER (WHERE verdict = 'unscored') AS unscored,
        coalesce(max(exact(1 / rank)) FILTER (WHERE verdict = 'correct'), 0) AS reciprocal_rank,
        coalesce(max(exact(1 / rank)) FILTER (WHERE verdict IN ('correct', 'unscored')), 0) AS reciprocal_rank_best,
        CASE WHEN count(known_answers) > 0 THEN coalesce(
            sum(exact(hits / (rank * greatest(known_answers, 1)))) FILTER (WHERE fresh AND verdict = 'correct'), 0
        ) END AS average_precision,
        CASE WHEN count(known_answers) > 0 THEN least(
            coalesce(
                sum(exact(possible_hits / (rank * greatest(known_answers, 1))))
                    FILTER (WHERE fresh AND verdict IN ('correct', 'unscored')),
                0
            ),
            1
        ) END AS average_precision_best,
        CASE WHEN count(known_answers) > 0 THEN sum(
            share((fresh AND verdict = 'correct')::INTEGER - (fresh AND verdict = 'wrong')::INTEGER, confidence, answers)
        ) END AS k_value,
        sum(share((fresh AND verdict = 'unscored')::INTEGER, confidence, answers)) AS k_unscored,
        sum(share((fresh AND verdict = 'partial')::INTEGER, confidence, answers)) AS k_partial,
        sum(share((fresh AND verdict = 'error')::INTEGER, confidence, answers)) AS k_error
    FROM (
        SELECT
            *,
            greatest(
                known_answers,
                count(*) FILTER (WHERE verdict NOT IN ('unanswered', 'error')) OVER (PARTITION BY cell)
            ) AS answers
        FROM counted
    )
    GROUP BY cell
)

SELECT {chosen}
FROM (
    SELECT
        f.* REPLACE (
            coalesce(s.given, f.given) AS given,
            CASE WHEN f.good IS NOT NULL THEN coalesce(s.good, f.good) END AS good,
            CASE WHEN f.good IS NOT NULL THEN coalesce(s.good_any, f.good_any) END AS good_any,
            CASE WHEN f.good IS NOT NULL THEN coalesce(s.long_good, f.long_good) END AS long_good,
            CASE WHEN f.good IS NOT NULL THEN coalesce(s.long_good_partial, f.long_good_partial) END AS long_good_partial
        ),
        s.* EXCLUDE (cell, given, good, good_any, long_good, long_good_partial)
    FROM labelled AS f
    INNER JOIN several AS s ON s.cell = f.cell AND f.rank = 1
)
