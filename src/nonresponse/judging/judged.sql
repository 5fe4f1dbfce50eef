-- The judgments, with the verdict that each label stands for.
CREATE TABLE judged AS SELECT *, called(label)::verdict AS verdict FROM judgments;
