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
