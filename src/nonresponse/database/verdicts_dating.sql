-- The year of the reference, and how much later the most confident year is.
CREATE VIEW verdicts AS
SELECT * EXCLUDE (reference), reference::INTEGER AS year, answer::INTEGER - reference::INTEGER AS distance
FROM judged;
