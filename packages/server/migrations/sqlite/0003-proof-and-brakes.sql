-- What makes the audit log provable, what was signed, what stops erasing, and what was raised.

-- Chained and signed. The digests of its rows, 16 bytes each, tell which of them was changed; null once
-- the rows are cut for their age. They are last, so that the rest is read without them.
CREATE TABLE audit_heads (
  head_no        INTEGER PRIMARY KEY,
  first_audit_no INTEGER NOT NULL,
  last_audit_no  INTEGER NOT NULL,
  time           INTEGER NOT NULL,
  previous_hash  BLOB NOT NULL,
  rows_hash      BLOB NOT NULL,
  hash           BLOB NOT NULL,
  key_id         TEXT NOT NULL,
  signature      BLOB NOT NULL,
  row_digests    BLOB
) STRICT;

-- For the oldest that still has its rows, without passing by all that have none.
CREATE INDEX audit_heads_with_rows ON audit_heads (head_no) WHERE row_digests IS NOT NULL;

-- The signed document, exactly as it is given out. The first one of a request is its receipt, those
-- after it are addenda of later runs.
CREATE TABLE receipts (
  request_no   INTEGER NOT NULL REFERENCES requests,
  receipt_no   INTEGER NOT NULL,
  -- The last task that it covers; an addendum begins after it.
  last_task_no INTEGER NOT NULL,
  created_time INTEGER NOT NULL,
  document     TEXT NOT NULL,
  PRIMARY KEY (request_no, receipt_no)
) STRICT, WITHOUT ROWID;

-- Null while a receipt is due: at the completion, and again when the last task of a later run ends.
ALTER TABLE requests ADD COLUMN receipted_time INTEGER;
CREATE INDEX requests_without_receipt ON requests (request_no)
  WHERE status = 'completed' AND receipted_time IS NULL;

-- `*` stops all erasing, anything else one target.
CREATE TABLE brakes (
  scope       TEXT PRIMARY KEY,
  paused_time INTEGER NOT NULL,
  paused_by   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Counted by the day (UTC, days since 1970): rows erased of a target, tasks it finished and those that
-- found nothing, whether any had to wait for the next day; requests of a controller started, completed,
-- cancelled, found nowhere. Day -1 has the sums of all days.
CREATE TABLE daily_counts (
  day   INTEGER NOT NULL,
  what  TEXT NOT NULL CHECK (what IN
    ('rows', 'tasks', 'not_found', 'deferred', 'starts', 'completed', 'cancelled', 'nowhere')),
  whose TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, what, whose)
) STRICT, WITHOUT ROWID;

INSERT INTO daily_counts (day, what, whose, count)
SELECT -1, 'starts', controller_id, count(*) FROM requests
WHERE started_time IS NOT NULL GROUP BY controller_id
UNION ALL
SELECT -1, status, controller_id, count(*) FROM requests
WHERE status IN ('completed', 'cancelled') GROUP BY status, controller_id;

-- What a task may still erase of its target's share of that day; kept when it fails, so that its next
-- try is not counted twice.
ALTER TABLE tasks ADD COLUMN reserved_day INTEGER;
ALTER TABLE tasks ADD COLUMN reserved_rows INTEGER;

CREATE INDEX requests_in_progress ON requests (received_time) WHERE status = 'in_progress';

-- Open requests that come near one of their deadlines, and when to look at each again.
CREATE TABLE watched_requests (
  request_no INTEGER PRIMARY KEY,
  next_time  INTEGER NOT NULL
) STRICT;

CREATE INDEX watched_requests_next ON watched_requests (next_time);

-- One row: up to where requests were looked at for watching, and how delivery goes.
CREATE TABLE alarm_progress (
  one               INTEGER PRIMARY KEY CHECK (one = 1),
  -- Open requests received until then were old enough to be watched.
  seen_received     INTEGER NOT NULL,
  -- Up to this one, requests were looked at that had been submitted long before.
  seen_request_no   INTEGER NOT NULL,
  looked_time       INTEGER NOT NULL,
  failed_deliveries INTEGER NOT NULL,
  next_delivery     INTEGER NOT NULL
) STRICT;

INSERT INTO alarm_progress VALUES (1, -1, 0, 0, 0, 0);

-- Each is raised once. Without a delivered time it is still on its way to the webhook; -1: given up.
CREATE TABLE alarms (
  alarm_no       INTEGER PRIMARY KEY,
  kind           TEXT NOT NULL,
  -- What makes it this one: a request, or a target or controller and a day.
  subject        TEXT NOT NULL,
  percent        INTEGER NOT NULL,
  request_no     INTEGER,
  controller_id  TEXT,
  target         TEXT,
  deadline       INTEGER,
  message        TEXT NOT NULL,
  raised_time    INTEGER NOT NULL,
  delivered_time INTEGER,
  UNIQUE (kind, subject, percent)
) STRICT;

CREATE INDEX alarms_to_deliver ON alarms (alarm_no) WHERE delivered_time IS NULL;
CREATE INDEX alarms_of_request ON alarms (request_no) WHERE request_no IS NOT NULL;

-- Of a run that an operator asked for after the request was completed: its deadline counts from then.
ALTER TABLE tasks ADD COLUMN asked_time INTEGER;
ALTER TABLE tasks ADD COLUMN asked_by TEXT;
-- While such a run is under way: nothing of a request is forgotten before it has ended.
ALTER TABLE requests ADD COLUMN again_asked_time INTEGER;
CREATE INDEX requests_again ON requests (again_asked_time) WHERE again_asked_time IS NOT NULL;

-- For shredding: completed, and the identities still sealed.
ALTER TABLE requests ADD COLUMN shredded_time INTEGER;
CREATE INDEX requests_to_shred ON requests (completed_time)
  WHERE status = 'completed' AND shredded_time IS NULL AND again_asked_time IS NULL;
-- For forgetting for good.
CREATE INDEX requests_final ON requests (coalesce(completed_time, cancelled_time))
  WHERE status IN ('completed', 'cancelled') AND again_asked_time IS NULL;

-- When a server began to seal with it; and when it was taken out of the key file for good.
ALTER TABLE master_keys ADD COLUMN adopted_time INTEGER;
ALTER TABLE master_keys ADD COLUMN destroyed_time INTEGER;
-- When that failed last.
ALTER TABLE master_keys ADD COLUMN undestroyed_time INTEGER;
