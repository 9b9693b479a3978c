INSERT INTO "Team" VALUES (1, 'Acme', NULL), (11, 'Acme Sales', 1), (2, 'Globex', NULL);
INSERT INTO users VALUES
  (1, 'bob', 'Bob', 'bob@acme.example', 1), (2, 'ann', 'Ann', 'ann@globex.example', 2);
-- The first belongs to a team, the second to Bob alone.
INSERT INTO "EventType" VALUES
  (101, 'Demo', NULL, 11), (102, 'Coffee with Bob', 1, NULL), (103, 'Demo', NULL, 2);
INSERT INTO "Booking" VALUES
  (1, 'u1', 1, 101, 'Demo between Bob and Joe', NULL, '{"name": "Joe", "email": "joe@example.com"}'),
  -- The same person at another organization, which did not ask.
  (2, 'u2', 2, 103, 'Demo between Ann and Jane', 'My number: 4711',
   '{"name": "Jane", "email": "jane@example.com", "guests": ["joe@example.com"]}');
INSERT INTO "Attendee" VALUES
  (1, 'joe@example.com', 'Joe', NULL, 1), (2, 'jane@example.com', 'Jane', '+15550001', 2),
  (3, 'joe@example.com', 'Joe', NULL, 2);
INSERT INTO "BookingSeat" VALUES (1, 1, 1, '{"note": "front"}'), (2, 2, 2, '{"note": "My number: 4711"}');
