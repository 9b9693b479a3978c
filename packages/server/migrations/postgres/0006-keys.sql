-- What lets somebody act for us is authenticated: by a MAC over what the row says. The server writes those of
-- rows that are there already.
ALTER TABLE @controllers ADD COLUMN mac bytea;
ALTER TABLE @clients ADD COLUMN mac bytea;
ALTER TABLE @client_secrets ADD COLUMN mac bytea;
ALTER TABLE @tasks ADD COLUMN release_mac bytea;

-- A revoked key is of no use to anybody.
UPDATE @signing_keys SET sealed_private_key = '' WHERE revoked_time IS NOT NULL;
