CREATE TABLE companies (
  id   int PRIMARY KEY,
  name text NOT NULL
);

CREATE TABLE contacts (
  id            int PRIMARY KEY,
  company_id    int REFERENCES companies,
  reports_to_id int REFERENCES contacts,
  name          text NOT NULL,
  work_email    text,
  private_email text
);

ALTER TABLE companies ADD COLUMN main_contact_id int REFERENCES contacts;

CREATE TABLE deals (
  id         int PRIMARY KEY,
  company_id int NOT NULL REFERENCES companies,
  contact_id int REFERENCES contacts,
  title      text NOT NULL,
  amount     numeric(10, 2)
);

CREATE TABLE notes (
  id           int PRIMARY KEY,
  subject_type text NOT NULL, -- Company, Contact or Deal
  subject_id   int NOT NULL,
  body         text NOT NULL
);

CREATE TABLE taggings (
  tag           text NOT NULL,
  taggable_type text NOT NULL,
  taggable_id   int NOT NULL,
  PRIMARY KEY (tag, taggable_type, taggable_id)
);

CREATE TABLE mails (
  id        int PRIMARY KEY,
  sender    text NOT NULL,
  recipient text NOT NULL,
  body      text NOT NULL
);

CREATE INDEX ON contacts (lower(work_email));
CREATE INDEX ON contacts (lower(private_email));
CREATE INDEX ON deals (contact_id);
CREATE INDEX ON notes (subject_type, subject_id);
CREATE INDEX ON taggings (taggable_type, taggable_id);
