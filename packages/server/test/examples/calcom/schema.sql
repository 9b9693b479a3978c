-- What Cal.com's migrations make, without the tables and columns that say nothing about whose a row is.
CREATE TABLE "Team" (
  id         integer PRIMARY KEY,
  name       text NOT NULL,
  "parentId" integer REFERENCES "Team" ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE users (
  id               integer PRIMARY KEY,
  username         text,
  name             text,
  email            text NOT NULL UNIQUE,
  "organizationId" integer REFERENCES "Team" ON DELETE SET NULL ON UPDATE CASCADE
);

CREATE TABLE "EventType" (
  id       integer PRIMARY KEY,
  title    text NOT NULL,
  "userId" integer REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  "teamId" integer REFERENCES "Team" ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Booking" (
  id            integer PRIMARY KEY,
  uid           text NOT NULL UNIQUE,
  "userId"      integer REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  "eventTypeId" integer REFERENCES "EventType" ON DELETE SET NULL ON UPDATE CASCADE,
  title         text NOT NULL,
  description   text,
  responses     jsonb,
  paid          boolean NOT NULL DEFAULT false,
  "cancelledBy" text
);

CREATE TABLE "Attendee" (
  id            integer PRIMARY KEY,
  email         text NOT NULL,
  name          text NOT NULL,
  "phoneNumber" text,
  "bookingId"   integer REFERENCES "Booking" ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX ON "Attendee" (lower(email), "bookingId");

CREATE TABLE "BookingSeat" (
  id           integer PRIMARY KEY,
  "bookingId"  integer NOT NULL REFERENCES "Booking" ON DELETE CASCADE ON UPDATE CASCADE,
  "attendeeId" integer NOT NULL UNIQUE REFERENCES "Attendee" ON DELETE CASCADE ON UPDATE CASCADE,
  data         jsonb
);

CREATE TABLE "BookingDenormalized" (
  id          integer PRIMARY KEY,
  title       text NOT NULL,
  description text,
  "userEmail" text
);

-- Keeps a copy of each booking for reports.
CREATE FUNCTION copy_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "BookingDenormalized" (id, title, description, "userEmail")
  VALUES (NEW.id, NEW.title, NEW.description, (SELECT email FROM users WHERE id = NEW."userId"))
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, description = excluded.description;
  RETURN NULL;
END $$;
CREATE TRIGGER booking_denorm_booking_insert_update_trigger AFTER INSERT OR UPDATE ON "Booking"
  FOR EACH ROW EXECUTE FUNCTION copy_booking();

CREATE FUNCTION copy_user() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER booking_denorm_user_update_trigger AFTER UPDATE OF name, username, email ON users
  FOR EACH ROW EXECUTE FUNCTION copy_user();
