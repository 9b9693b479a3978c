INSERT INTO "Booking" VALUES
  (11, 'u11', 1, 101, 'Demo between Bob and Jane of Acme', 'I have a question',
   '{"name": "Jane of Acme", "email": "Jane@example.com", "guests": ["joe@example.com"], "location": "zoom"}', true, 'jane@example.com'),
  (12, 'u12', 1, 102, 'Coffee with Bob and Jane of Acme', NULL,
   '{"name": "Jane of Acme", "email": "jane@example.com"}', false, NULL),
  -- Somebody else asked her along.
  (13, 'u13', 1, 101, 'Demo between Bob and Zoe', NULL,
   '{"name": "Zoe", "email": "zoe@example.com", "guests": ["jane@example.com"]}', false, NULL),
  -- She has cancelled it for somebody else.
  (14, 'u14', 1, 101, 'Demo between Bob and Tim', NULL, '{"name": "Tim", "email": "tim@example.com"}', false, 'jane@example.com');
INSERT INTO "Attendee" VALUES
  (11, 'Jane@example.com', 'Jane of Acme', '+15550002', 11), (12, 'joe@example.com', 'Joe', NULL, 11),
  (13, 'jane@example.com', 'Jane of Acme', NULL, 12),
  (14, 'zoe@example.com', 'Zoe', NULL, 13), (15, 'jane@example.com', 'jane@example.com', NULL, 13);
INSERT INTO "BookingSeat" VALUES (11, 11, 11, '{"note": "I have a question"}'), (12, 11, 12, NULL);
