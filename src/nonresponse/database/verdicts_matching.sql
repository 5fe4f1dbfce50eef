-- Only the columns that all tasks with hypotheses have. The reference is left out, so that replacing it by another one
-- that no run gave changes no verdict.
CREATE VIEW verdicts AS SELECT * EXCLUDE (reference) FROM judged;
