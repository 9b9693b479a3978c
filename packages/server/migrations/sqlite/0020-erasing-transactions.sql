-- What transactions at targets are about to commit, until the outcomes of their tasks are recorded.
CREATE TABLE erasing_transactions (
  transaction_id TEXT PRIMARY KEY,
  target         TEXT NOT NULL,
  name           TEXT,
  recorded_time  INTEGER NOT NULL,
  tables         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX erasing_transactions_of_target ON erasing_transactions (target);
