-- What attempts that did not end well had reported as erased, by table: no identities. It stays on record when
-- a person ends the task otherwise.
ALTER TABLE @tasks ADD COLUMN reported text;
