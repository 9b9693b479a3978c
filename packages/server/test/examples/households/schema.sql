CREATE TABLE households (
  id      INTEGER PRIMARY KEY,
  address TEXT NOT NULL
);

CREATE TABLE members (
  id           INTEGER PRIMARY KEY,
  household_id INTEGER NOT NULL REFERENCES households (id),
  email        TEXT,
  name         TEXT NOT NULL
);

CREATE TABLE payments (
  id           INTEGER PRIMARY KEY,
  household_id INTEGER NOT NULL REFERENCES households (id),
  amount       REAL NOT NULL
);

CREATE INDEX members_email ON members (email COLLATE NOCASE);
CREATE INDEX members_household ON members (household_id);
CREATE INDEX payments_household ON payments (household_id);
