-- Some questions have several answers: beside the first one, the values that all of them share in.
SELECT f.*, s
FROM first_answers AS f
LEFT JOIN several AS s ON s.assessor = f.assessor AND s.run = f.run AND s.question = f.question
    AND s.epoch = f.epoch
ORDER BY f.assessor, f.run, f.question, f.epoch
