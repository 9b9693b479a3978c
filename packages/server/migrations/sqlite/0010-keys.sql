-- What lets somebody act for us is authenticated: by a MAC over what the row says. The server writes those of
-- rows that are there already.
ALTER TABLE controllers ADD COLUMN mac BLOB;
ALTER TABLE clients ADD COLUMN mac BLOB;
ALTER TABLE client_secrets ADD COLUMN mac BLOB;
ALTER TABLE tasks ADD COLUMN release_mac BLOB;

-- A revoked key is of no use to anybody.
UPDATE signing_keys SET sealed_private_key = x'' WHERE revoked_time IS NOT NULL;

-- The order in which master keys were made and taken up, whatever the clock said.
ALTER TABLE master_keys ADD COLUMN made_no INTEGER NOT NULL DEFAULT 0;
ALTER TABLE master_keys ADD COLUMN generation INTEGER;

UPDATE master_keys SET made_no = (SELECT count(*) FROM master_keys AS other
  WHERE (other.created_time, other.master_key_id) <= (master_keys.created_time, master_keys.master_key_id));
UPDATE master_keys SET generation = (SELECT count(*) FROM master_keys) + (SELECT count(*) FROM master_keys AS other
  WHERE (other.adopted_time, other.master_key_id) <= (master_keys.adopted_time, master_keys.master_key_id))
WHERE adopted_time IS NOT NULL;

-- Public keys of heads and receipts, each signed by the one before it. They stay for ever.
CREATE TABLE proof_keys (
  key_no          INTEGER PRIMARY KEY,
  key_id          TEXT NOT NULL UNIQUE,
  public_key      TEXT NOT NULL,
  created_time    INTEGER NOT NULL,
  previous_key_id TEXT,
  signature       BLOB NOT NULL,
  mac             BLOB NOT NULL
) STRICT;
