-- What the console's lists and graphs read. A chore counts behind the arrivals, so that no create and no settle pays for it.
-- Requests that came on a day (UTC, days since 1970), and between which numbers they are.
CREATE TABLE daily_arrivals (
  day              INTEGER NOT NULL,
  controller_id    TEXT NOT NULL,
  count            INTEGER NOT NULL,
  first_request_no INTEGER NOT NULL,
  last_request_no  INTEGER NOT NULL,
  PRIMARY KEY (day, controller_id)
) STRICT, WITHOUT ROWID;

-- In which blocks of a thousand or so request numbers a controller has requests: a list of its requests reads only those.
CREATE TABLE request_blocks (
  controller_id TEXT NOT NULL,
  block         INTEGER NOT NULL,
  PRIMARY KEY (controller_id, block)
) STRICT, WITHOUT ROWID;

-- How long the requests took that were completed on a day: how many in each class of durations.
CREATE TABLE completion_times (
  day      INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  PRIMARY KEY (day, duration)
) STRICT, WITHOUT ROWID;

-- How far the chore has counted.
CREATE TABLE statistics_progress (
  one             INTEGER PRIMARY KEY CHECK (one = 1),
  seen_request_no INTEGER NOT NULL,
  seen_final_time INTEGER NOT NULL,
  seen_final_no   INTEGER NOT NULL,
  counted_time    INTEGER NOT NULL
) STRICT;

-- Few tasks are ever in them: what goes well is neither held nor failed.
CREATE INDEX tasks_stuck ON tasks (state, request_no) WHERE state IN ('held', 'failed');
CREATE INDEX tasks_without_due_time ON tasks (request_no) WHERE state = 'waiting' AND due_time IS NULL;
CREATE INDEX requests_cancelled ON requests (cancelled_time) WHERE status = 'cancelled';
CREATE INDEX audit_by_operators ON audit_rows (audit_no) WHERE substr(actor, 1, 9) = 'operator:';
