-- The verdicts on first answers and, for questions with several answers, the values that all contribute to.
SELECT
    f.* REPLACE (
        coalesce(s.given, f.given) AS given,
        CASE WHEN f.good IS NOT NULL THEN coalesce(s.good, f.good) END AS good,
        CASE WHEN f.good IS NOT NULL THEN coalesce(s.good_any, f.good_any) END AS good_any,
        CASE WHEN f.good IS NOT NULL THEN coalesce(s.long_good, f.long_good) END AS long_good,
        CASE WHEN f.good IS NOT NULL THEN coalesce(s.long_good_partial, f.long_good_partial) END AS long_good_partial
    ),
    s.* EXCLUDE (assessor, run, question, epoch, given, good, good_any, long_good, long_good_partial)
FROM labelled AS f
LEFT JOIN several AS s ON s.assessor = f.assessor AND s.run = f.run AND s.question = f.question AND s.epoch = f.epoch
