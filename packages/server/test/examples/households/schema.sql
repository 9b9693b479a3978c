CREATE TABLE households (
  id      INTEGER PRIMARY KEY,
  address VARCHAR(200) NOT NULL
);

CREATE TABLE members (
  id           INTEGER PRIMARY KEY,
  household_id INTEGER NOT NULL REFERENCES households (id),
  email        VARCHAR(200),
  name         VARCHAR(200) NOT NULL
);

CREATE TABLE payments (
  id           INTEGER PRIMARY KEY,
  household_id INTEGER NOT NULL REFERENCES households (id),
  amount       INTEGER NOT NULL
);

CREATE INDEX members_email ON members (email);
CREATE INDEX members_household ON members (household_id);
CREATE INDEX payments_household ON payments (household_id);
