-- Many requests of one controller that come near their deadlines on one day are one alarm, with their number. It is
-- told again when more have come, and not more often than every hour.
ALTER TABLE alarms ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
-- When it was last written to the log, and last taken by the webhook.
ALTER TABLE alarms ADD COLUMN told_time INTEGER;
ALTER TABLE alarms ADD COLUMN sent_time INTEGER;
