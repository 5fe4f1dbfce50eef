-- Every pair for every run, with its decision; without one, `absent` has the verdict instead, else null: {absent}
CREATE VIEW met AS
SELECT *, CASE WHEN decided IS NULL THEN {absent} END AS absent
FROM (
    SELECT
        p.*,
        r.run,
        r.scored,
        d.run AS decided,
        d.failed,
        d.accepted,
        d.selected,
        d.confidence,
        d.score
    FROM gathered AS p
    CROSS JOIN runs AS r
    LEFT JOIN decisions AS d
        ON d.assessor = p.assessor AND d.run = r.run AND d.question = p.question AND d.candidate = p.candidate
);
