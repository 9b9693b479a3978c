INSERT INTO auth_user VALUES
  (7, 'pbkdf2_sha256$1', NULL, false, 'jane', 'Jane', 'Doe', 'jane@example.com', true, true, '2026-01-02Z');
INSERT INTO auth_user_groups VALUES (7, 7, 1);
INSERT INTO auth_user_user_permissions VALUES (7, 7, 1);
INSERT INTO account_emailaddress VALUES
  (17, 'jane@example.com', true, true, 7), (18, 'Jane.Doe@Example.org', true, false, 7);
INSERT INTO account_emailconfirmation VALUES (17, '2026-01-02Z', NULL, 'k17', 18);
INSERT INTO socialaccount_socialaccount VALUES
  (17, 'github', '2007', '2026-01-02Z', '2026-01-02Z', '{"login": "jane"}', 7);
INSERT INTO socialaccount_socialtoken VALUES (17, 't17', '', NULL, 17);
INSERT INTO authtoken_token VALUES ('key-of-jane', '2026-01-02Z', 7);
INSERT INTO django_admin_log VALUES
  (11, '2026-01-03Z', '7', 'jane', 1, '[{"added": {}}]', 4, 1), -- an admin made her account
  (12, '2026-01-03Z', '18', 'Jane.Doe@Example.org', 1, '[{"added": {}}]', 7, 1), -- and her address
  (13, '2026-01-04Z', '1', 'Editors', 2, 'renamed by Jane', 3, 7); -- what she did as staff
