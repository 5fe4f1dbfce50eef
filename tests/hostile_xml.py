"""XML that a reader must refuse."""

BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY a "aaaaaaaaaa">\n<!ENTITY b '
    '"&a;&a;&a;">]>\n<x>&b;</x>'
)
ELSEWHERE = (
    '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<x>&a;</x>'
)
UNKNOWN = '<?xml version="1.0" encoding="klingon"?>\n<output/>\n'
FORBIDDEN = "the definition of an entity"
