-- Every question has one answer at most: there is nothing but the first answers (see verdicts_qa.sql).
SELECT
    *,
    NULL::STRUCT(
        given BOOLEAN,
        decided BOOLEAN,
        partly BOOLEAN,
        any_right BOOLEAN,
        failed BOOLEAN,
        unscored BIGINT,
        reciprocal_rank DOUBLE,
        reciprocal_rank_best DOUBLE,
        average_precision DOUBLE,
        average_precision_best DOUBLE,
        k_value DOUBLE,
        k_unscored DOUBLE,
        k_partial DOUBLE,
        k_error DOUBLE,
        good BOOLEAN,
        good_any BOOLEAN,
        long_good BOOLEAN,
        long_good_partial BOOLEAN
    ) AS s
FROM (SELECT * FROM first_answers ORDER BY assessor, run, question, epoch)
