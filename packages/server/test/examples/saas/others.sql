INSERT INTO accounts VALUES (1, 'Acme'), (2, 'Globex');
INSERT INTO users VALUES
  ('00000000-0000-4000-8000-000000000002', 1, 'bob@example.com', 'Bob'),
  -- The same person, as a user of another customer's account.
  ('00000000-0000-4000-8000-000000000003', 2, 'jane@example.com', 'Jane at Globex');
INSERT INTO sessions VALUES
  ('10000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000002', '192.0.2.2'),
  ('10000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000003', '192.0.2.3');
INSERT INTO invitations VALUES
  (2, 1, 'carol@example.com', NULL),
  (3, 2, 'jane@example.com', NULL);
INSERT INTO projects VALUES (1, 1, 'Website', NULL), (2, 2, 'Website', NULL);
INSERT INTO tasks VALUES
  (1, 1, 1, 'Write the imprint', NULL),
  (2, 2, 2, 'Write the imprint', '00000000-0000-4000-8000-000000000003');
INSERT INTO comments VALUES
  (2, 1, '00000000-0000-4000-8000-000000000002', 'Done?'),
  (3, 2, '00000000-0000-4000-8000-000000000003', 'Done.');
INSERT INTO audit_events VALUES
  (2, 1, '00000000-0000-4000-8000-000000000002', '192.0.2.2', 'login'),
  (3, 2, '00000000-0000-4000-8000-000000000003', '192.0.2.3', 'login');
