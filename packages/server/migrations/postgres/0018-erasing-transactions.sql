-- What transactions at targets are about to commit, until the outcomes of their tasks are recorded.
CREATE TABLE @erasing_transactions (
  transaction_id text COLLATE "C" PRIMARY KEY,
  target         text COLLATE "C" NOT NULL,
  name           text COLLATE "C",
  recorded_time  bigint NOT NULL,
  tables         text NOT NULL
);

CREATE INDEX erasing_transactions_of_target ON @erasing_transactions (target);
