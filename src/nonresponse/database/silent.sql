CREATE VIEW silent AS
-- Questions to which a run has no response in some of its epochs; only runs that miss some are searched.
-- What is missing may never have been asked: {absent}
SELECT *, {absent}::verdict AS verdict
FROM (
    SELECT k.*, s.run, e.epoch
    FROM known AS k
    INNER JOIN short_runs AS s ON s.assessor = k.assessor
    INNER JOIN epochs AS e ON e.run = s.run
    ANTI JOIN first_ranks AS f ON f.run = s.run AND f.question = k.question AND f.epoch = e.epoch {same}
);
