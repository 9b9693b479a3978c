CREATE TABLE accounts (
  id   int PRIMARY KEY,
  name text NOT NULL
);

CREATE TABLE users (
  id         uuid PRIMARY KEY,
  account_id int NOT NULL REFERENCES accounts,
  email      text NOT NULL,
  name       text,
  UNIQUE (account_id, email)
);

CREATE TABLE sessions (
  id      uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ip      inet
);

CREATE TABLE invitations (
  id         int PRIMARY KEY,
  account_id int NOT NULL REFERENCES accounts,
  email      text NOT NULL,
  invited_by uuid REFERENCES users ON DELETE SET NULL
);

CREATE TABLE projects (
  id         int PRIMARY KEY,
  account_id int NOT NULL REFERENCES accounts,
  name       text NOT NULL,
  owner_id   uuid REFERENCES users
);

CREATE TABLE tasks (
  id          int PRIMARY KEY,
  account_id  int NOT NULL REFERENCES accounts,
  project_id  int NOT NULL REFERENCES projects,
  title       text NOT NULL,
  assignee_id uuid REFERENCES users ON DELETE SET NULL
);

CREATE TABLE comments (
  id        int PRIMARY KEY,
  task_id   int NOT NULL REFERENCES tasks,
  author_id uuid NOT NULL REFERENCES users,
  body      text NOT NULL
);

CREATE TABLE audit_events (
  id         bigint PRIMARY KEY,
  account_id int NOT NULL REFERENCES accounts,
  actor_id   uuid REFERENCES users,
  ip         inet,
  event      text NOT NULL
);

CREATE INDEX ON users (email);
CREATE INDEX ON sessions (user_id);
CREATE INDEX ON invitations (email);
CREATE INDEX ON comments (author_id);
CREATE INDEX ON audit_events (actor_id);
