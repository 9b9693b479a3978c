-- The store went back in time, and what is known of the time that it lost. While one is not confirmed, nothing starts.
CREATE TABLE restores (
  restore_no     INTEGER PRIMARY KEY,
  detected_time  INTEGER NOT NULL,
  detected_by    TEXT NOT NULL,
  reason         TEXT NOT NULL,
  -- The newest head then; 0: none.
  last_head_no   INTEGER NOT NULL,
  reviewed_time  INTEGER,
  confirmed_time INTEGER,
  confirmed_by   TEXT
) STRICT;

CREATE UNIQUE INDEX restores_open ON restores ((confirmed_time IS NULL)) WHERE confirmed_time IS NULL;

CREATE TABLE restore_findings (
  what               TEXT NOT NULL,
  controller_id      TEXT NOT NULL,
  subject_request_id TEXT NOT NULL,
  time               INTEGER NOT NULL,
  -- Who knows it: a node, or a file.
  source             TEXT NOT NULL,
  PRIMARY KEY (what, controller_id, subject_request_id)
) STRICT;
