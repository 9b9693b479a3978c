-- Only Unwrite confirms a restore: what is confirmed without its MAC is open again.
ALTER TABLE @restores ADD COLUMN confirm_mac bytea;
