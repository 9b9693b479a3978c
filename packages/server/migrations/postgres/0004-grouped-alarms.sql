-- Many requests of one controller that come near their deadlines on one day are one alarm, with their number. It is
-- told again when more have come, and not more often than every hour.
ALTER TABLE @alarms
  ADD COLUMN count bigint NOT NULL DEFAULT 1,
  -- When it was last written to the log, and last taken by the webhook.
  ADD COLUMN told_time bigint,
  ADD COLUMN sent_time bigint;
