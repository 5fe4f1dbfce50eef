-- Nothing but what all tasks with hypotheses have: a reference that no run named makes no difference.
CREATE VIEW verdicts AS SELECT * EXCLUDE (reference) FROM judged;
