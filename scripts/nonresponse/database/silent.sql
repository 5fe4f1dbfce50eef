CREATE VIEW silent AS
-- Questions to which a run has no response, or not in each of its epochs; looked for only in runs that miss some.
-- What is missing may never have been asked: {absent}
SELECT *, {absent}::verdict AS verdict
FROM (
    SELECT k.*, s.run, e.epoch
    FROM known AS k
    INNER JOIN short_runs AS s ON s.assessor = k.assessor
    INNER JOIN epochs AS e ON e.run = s.run
    ANTI JOIN first_ranks AS f ON f.run = s.run AND f.question = k.question AND f.epoch = e.epoch {same}
);
