-- Only Unwrite cuts rows for their age: a record without its MAC says nothing about what is missing.
ALTER TABLE @audit_cuts ADD COLUMN mac bytea;
