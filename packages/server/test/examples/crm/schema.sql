CREATE TABLE companies (
  id   integer PRIMARY KEY,
  name varchar(200) NOT NULL
);

CREATE TABLE contacts (
  id            integer PRIMARY KEY,
  company_id    integer REFERENCES companies (id),
  reports_to_id integer REFERENCES contacts (id),
  name          varchar(200) NOT NULL,
  work_email    varchar(200),
  private_email varchar(200)
);

ALTER TABLE companies ADD COLUMN main_contact_id integer REFERENCES contacts (id);

CREATE TABLE deals (
  id         integer PRIMARY KEY,
  company_id integer NOT NULL REFERENCES companies (id),
  contact_id integer REFERENCES contacts (id),
  title      varchar(200) NOT NULL,
  amount     integer
);

CREATE TABLE notes (
  id           integer PRIMARY KEY,
  subject_type varchar(200) NOT NULL, -- Company, Contact or Deal
  subject_id   integer NOT NULL,
  body         varchar(200) NOT NULL
);

CREATE TABLE taggings (
  tag           varchar(200) NOT NULL,
  taggable_type varchar(200) NOT NULL,
  taggable_id   integer NOT NULL,
  PRIMARY KEY (tag, taggable_type, taggable_id)
);

CREATE TABLE mails (
  id        integer PRIMARY KEY,
  sender    varchar(200) NOT NULL,
  recipient varchar(200) NOT NULL,
  body      varchar(200) NOT NULL
);

CREATE INDEX contacts_work_email ON contacts (work_email);
CREATE INDEX contacts_private_email ON contacts (private_email);
CREATE INDEX deals_contact_id ON deals (contact_id);
CREATE INDEX notes_subject_type_subject_id ON notes (subject_type, subject_id);
CREATE INDEX taggings_taggable_type_taggable_id ON taggings (taggable_type, taggable_id);
