-- The judgments, with the verdict that each label stands for.
CREATE TABLE judged AS
SELECT DISTINCT *, called(label)::verdict AS verdict -- the same line twice is one judgment
FROM judgments;
