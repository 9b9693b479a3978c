-- How operators sign in. What opens something is kept as a keyed digest, and every row carries a MAC over what it says.

-- Sign-in links: each can be redeemed once.
CREATE TABLE @operator_links (
  digest       bytea PRIMARY KEY,
  -- Whose name the session gets.
  name         text NOT NULL,
  role         text NOT NULL,
  created_time bigint NOT NULL,
  expires_time bigint NOT NULL,
  used_time    bigint,
  mac          bytea NOT NULL
);

CREATE TABLE @operator_sessions (
  digest       bytea PRIMARY KEY,
  -- To be shown, and to end it; opens nothing.
  session_id   text NOT NULL UNIQUE,
  name         text NOT NULL,
  role         text NOT NULL,
  -- link or sso.
  way          text NOT NULL,
  -- Of single sign-on: by which settings the role was given. With others the session is over.
  basis        text,
  browser      text,
  created_time bigint NOT NULL,
  used_time    bigint NOT NULL,
  expires_time bigint NOT NULL,
  mac          bytea NOT NULL
);

CREATE INDEX operator_sessions_of_name ON @operator_sessions (name, created_time);

-- Scripts.
CREATE TABLE @operator_clients (
  client_id    text PRIMARY KEY,
  digest       bytea NOT NULL UNIQUE,
  name         text NOT NULL,
  role         text NOT NULL,
  created_time bigint NOT NULL,
  -- Null where it has no end.
  expires_time bigint,
  revoked_time bigint,
  mac          bytea NOT NULL
);
