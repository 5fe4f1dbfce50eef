-- A label is the reference or it is not (DEFT 2011, task B, eq. 1).
CREATE MACRO similarity(given, reference) AS (given = reference)::DOUBLE;
