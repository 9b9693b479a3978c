-- What Formbricks' migrations make, without the tables and columns that say nothing about whose a row is.
CREATE TABLE "Organization" (
  id   text PRIMARY KEY,
  name text NOT NULL
);

CREATE TABLE "Workspace" (
  id               text PRIMARY KEY,
  name             text NOT NULL,
  "organizationId" text NOT NULL REFERENCES "Organization" ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE ("organizationId", name)
);

CREATE TABLE "User" (
  id    text PRIMARY KEY,
  name  text NOT NULL,
  email text NOT NULL UNIQUE
);

CREATE TABLE "Invite" (
  id               text PRIMARY KEY,
  email            text NOT NULL,
  name             text,
  "organizationId" text NOT NULL REFERENCES "Organization" ON DELETE CASCADE ON UPDATE CASCADE,
  "creatorId"      text NOT NULL REFERENCES "User" ON DELETE RESTRICT ON UPDATE CASCADE,
  "acceptorId"     text REFERENCES "User" ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX ON "Invite" (email, "organizationId");

CREATE TABLE "Survey" (
  id            text PRIMARY KEY,
  name          text NOT NULL,
  "workspaceId" text NOT NULL REFERENCES "Workspace" ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Tag" (
  id            text PRIMARY KEY,
  name          text NOT NULL,
  "workspaceId" text NOT NULL REFERENCES "Workspace" ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE ("workspaceId", name)
);

CREATE TABLE "Contact" (
  id            text PRIMARY KEY,
  "workspaceId" text NOT NULL REFERENCES "Workspace" ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "ContactAttributeKey" (
  id            text PRIMARY KEY,
  key           text NOT NULL,
  "isUnique"    boolean NOT NULL DEFAULT false,
  "workspaceId" text NOT NULL REFERENCES "Workspace" ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE (key, "workspaceId")
);

CREATE TABLE "ContactAttribute" (
  id               text PRIMARY KEY,
  "attributeKeyId" text NOT NULL REFERENCES "ContactAttributeKey" ON DELETE CASCADE ON UPDATE CASCADE,
  "contactId"      text NOT NULL REFERENCES "Contact" ON DELETE CASCADE ON UPDATE CASCADE,
  value            text NOT NULL,
  UNIQUE ("contactId", "attributeKeyId")
);
CREATE INDEX ON "ContactAttribute" ("attributeKeyId", value);

CREATE TABLE "Display" (
  id          text PRIMARY KEY,
  "surveyId"  text NOT NULL REFERENCES "Survey" ON DELETE CASCADE ON UPDATE CASCADE,
  "contactId" text REFERENCES "Contact" ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX ON "Display" ("contactId");

CREATE TABLE "Response" (
  id                  text PRIMARY KEY,
  "surveyId"          text NOT NULL REFERENCES "Survey" ON DELETE CASCADE ON UPDATE CASCADE,
  "contactId"         text REFERENCES "Contact" ON DELETE CASCADE ON UPDATE CASCADE,
  "displayId"         text UNIQUE REFERENCES "Display" ON DELETE SET NULL ON UPDATE CASCADE,
  data                jsonb NOT NULL DEFAULT '{}',
  "contactAttributes" jsonb
);
CREATE INDEX ON "Response" ("contactId");

CREATE TABLE "TagsOnResponses" (
  "responseId" text NOT NULL REFERENCES "Response" ON DELETE CASCADE ON UPDATE CASCADE,
  "tagId"      text NOT NULL REFERENCES "Tag" ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY ("responseId", "tagId")
);
