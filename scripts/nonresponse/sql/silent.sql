CREATE VIEW silent AS
-- Questions to which a run has no response, or not in each of its epochs; looked for only in runs that miss some.
-- What was judged by another assessor alone was asked: {others}
-- What is missing may never have been asked: {absent}
SELECT
    assessor,
    run,
    question,
    epoch,
    category,
    has_answer,
    known_answers,
    of_others IS NULL AS missing,
    coalesce(of_others, {absent})::verdict AS verdict
FROM (
    SELECT k.*, s.run, e.epoch, o.verdict AS of_others
    FROM known AS k
    INNER JOIN short_runs AS s ON s.assessor = k.assessor
    INNER JOIN epochs AS e ON e.run = s.run
    LEFT JOIN {others} AS o ON o.run = s.run AND o.question = k.question AND o.epoch = e.epoch
    ANTI JOIN first_ranks AS f ON f.run = s.run AND f.question = k.question AND f.epoch = e.epoch {same}
);
