CREATE TABLE profiles (
  id   uuid PRIMARY KEY,
  data jsonb NOT NULL
);

CREATE TABLE events (
  id      bigint PRIMARY KEY,
  payload jsonb NOT NULL
);

CREATE INDEX ON profiles (lower(data #>> '{contact,email}'));
CREATE INDEX ON events (lower(payload #>> '{user,email}'));
