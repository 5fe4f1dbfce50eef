-- How near a year comes to that of the reference: a bell whose values from -15 to 15 years add up to 10
-- (DEFT 2011, task A, eq. 2).
CREATE MACRO similarity(given, reference) AS exp(-pi() / 100 * power(given::INTEGER - reference::INTEGER, 2));
