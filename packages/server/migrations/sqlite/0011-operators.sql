-- How operators sign in. What opens something is kept as a keyed digest, and every row carries a MAC over what it says.

-- Sign-in links: each can be redeemed once.
CREATE TABLE operator_links (
  digest       BLOB PRIMARY KEY,
  -- Whose name the session gets.
  name         TEXT NOT NULL,
  role         TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  expires_time INTEGER NOT NULL,
  used_time    INTEGER,
  mac          BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_sessions (
  digest       BLOB PRIMARY KEY,
  -- To be shown, and to end it; opens nothing.
  session_id   TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  role         TEXT NOT NULL,
  -- link or sso.
  way          TEXT NOT NULL,
  -- Of single sign-on: by which settings the role was given. With others the session is over.
  basis        TEXT,
  browser      TEXT,
  created_time INTEGER NOT NULL,
  used_time    INTEGER NOT NULL,
  expires_time INTEGER NOT NULL,
  mac          BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_sessions_of_name ON operator_sessions (name, created_time);

-- Scripts.
CREATE TABLE operator_clients (
  client_id    TEXT PRIMARY KEY,
  digest       BLOB NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  role         TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  -- Null where it has no end.
  expires_time INTEGER,
  revoked_time INTEGER,
  mac          BLOB NOT NULL
) STRICT;
