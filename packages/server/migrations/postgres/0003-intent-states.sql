-- How far an intent has come, and by which plan its rows were found. An intent from before may have been
-- carried out: it counts as erasing.
ALTER TABLE @intents
  ADD COLUMN intent_state text NOT NULL DEFAULT 'erasing'
    CHECK (intent_state IN ('recorded', 'erasing', 'done')),
  ADD COLUMN plan text NOT NULL DEFAULT '';
