-- What the judgments say, in our words.
CREATE TABLE judged AS
SELECT DISTINCT *, called(label)::verdict AS verdict -- the same line twice is one judgment
FROM judgments;
