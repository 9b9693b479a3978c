-- Targets that a task waits for before it erases, as JSON.
ALTER TABLE tasks ADD COLUMN waits_for TEXT;
