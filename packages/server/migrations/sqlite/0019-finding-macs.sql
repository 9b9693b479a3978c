-- Only Unwrite notices a restore and lists what it has lost: confirming does nothing about an entry without its MAC.
ALTER TABLE restores ADD COLUMN mac BLOB;
ALTER TABLE restore_findings ADD COLUMN mac BLOB;
