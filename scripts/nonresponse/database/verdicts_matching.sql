-- Only the columns of all tasks with hypotheses: without the reference, another one that no run named changes nothing.
CREATE VIEW verdicts AS SELECT * EXCLUDE (reference) FROM judged;
