-- Batches are made of all controllers' tasks in turn: one that has a hundred thousand does not hold up another.
-- The controller of its request.
ALTER TABLE tasks ADD COLUMN owner_id TEXT NOT NULL DEFAULT '';

UPDATE tasks SET owner_id = coalesce(
  (SELECT controller_id FROM requests WHERE requests.request_no = tasks.request_no), '')
WHERE state <> 'erased';

CREATE INDEX tasks_due_by_controller ON tasks (target, phase, owner_id, due_time)
  WHERE state IN ('waiting', 'failed') AND due_time IS NOT NULL;
