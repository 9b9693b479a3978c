INSERT INTO django_content_type VALUES
  (1, 'admin', 'logentry'), (2, 'auth', 'permission'), (3, 'auth', 'group'), (4, 'auth', 'user'),
  (5, 'contenttypes', 'contenttype'), (6, 'sessions', 'session'), (7, 'account', 'emailaddress'),
  (8, 'account', 'emailconfirmation'), (9, 'socialaccount', 'socialaccount'),
  (10, 'socialaccount', 'socialtoken'), (11, 'authtoken', 'token');
INSERT INTO auth_permission VALUES (1, 'Can add user', 4, 'add_user');
INSERT INTO auth_group VALUES (1, 'Editors'), (7, 'Readers');
INSERT INTO auth_user VALUES
  (1, '!', NULL, true, 'admin', '', '', 'admin@example.com', true, true, '2026-01-01Z'),
  (8, '!', NULL, false, 'bob', 'Bob', 'Doe', 'bob@example.com', false, true, '2026-01-02Z');
INSERT INTO auth_user_groups VALUES (1, 1, 1), (2, 8, 1);
INSERT INTO auth_user_user_permissions VALUES (1, 8, 1);
-- The number 7 is a group here, and Jane's account there.
INSERT INTO django_admin_log VALUES
  (1, '2026-01-03Z', '7', 'Readers', 1, '[{"added": {}}]', 3, 1),
  (2, '2026-01-03Z', '8', 'bob', 2, '[{"changed": {"fields": ["Email"]}}]', 4, 1),
  (3, '2026-01-03Z', '07', 'a script', 1, '', NULL, 1);
INSERT INTO django_session VALUES ('abc', '.eJxVjDsOwjAQBe_iGlmx43', '2026-02-01Z');
INSERT INTO account_emailaddress VALUES
  (1, 'admin@example.com', true, true, 1), (2, 'bob@example.com', true, true, 8);
INSERT INTO account_emailconfirmation VALUES (1, '2026-01-02Z', NULL, 'k1', 2);
INSERT INTO socialaccount_socialaccount VALUES
  (1, 'github', '1007', '2026-01-02Z', '2026-01-02Z', '{"login": "bob"}', 8);
INSERT INTO socialaccount_socialtoken VALUES (1, 't1', '', NULL, 1);
INSERT INTO authtoken_token VALUES ('key-of-bob', '2026-01-02Z', 8);
