-- What lets somebody act for us is authenticated: by a MAC over what the row says. The server writes those of
-- rows that are there already.
ALTER TABLE @controllers ADD COLUMN mac bytea;
ALTER TABLE @clients ADD COLUMN mac bytea;
ALTER TABLE @client_secrets ADD COLUMN mac bytea;
ALTER TABLE @tasks ADD COLUMN release_mac bytea;

-- A revoked key is of no use to anybody.
UPDATE @signing_keys SET sealed_private_key = '' WHERE revoked_time IS NOT NULL;

-- The order in which master keys were made and taken up, whatever the clock said.
ALTER TABLE @master_keys ADD COLUMN made_no bigint NOT NULL DEFAULT 0;
ALTER TABLE @master_keys ADD COLUMN generation bigint;

UPDATE @master_keys AS own SET made_no = (SELECT count(*) FROM @master_keys AS other
  WHERE (other.created_time, other.master_key_id) <= (own.created_time, own.master_key_id));
UPDATE @master_keys AS own SET generation = (SELECT count(*) FROM @master_keys) + (SELECT count(*) FROM @master_keys AS other
  WHERE (other.adopted_time, other.master_key_id) <= (own.adopted_time, own.master_key_id))
WHERE adopted_time IS NOT NULL;

-- Public keys of heads and receipts, each signed by the one before it. They stay for ever.
CREATE TABLE @proof_keys (
  key_no          bigint PRIMARY KEY,
  key_id          text NOT NULL UNIQUE,
  public_key      text NOT NULL,
  created_time    bigint NOT NULL,
  previous_key_id text,
  signature       bytea NOT NULL,
  mac             bytea NOT NULL
);
