INSERT INTO profiles VALUES
  ('00000000-0000-4000-8000-000000000002',
   '{"contact": {"email": "bob@example.com", "name": "Bob"}, "referrer": "jane@example.org", "plan": "pro"}'),
  ('00000000-0000-4000-8000-000000000003', '{"contact": {"email": null}, "plan": "free"}'),
  ('00000000-0000-4000-8000-000000000004', '{"contact": "jane@example.com is not an object", "plan": "free"}');
INSERT INTO events VALUES
  (2, '{"name": "login", "user": {"email": "bob@example.com"}}'),
  (3, '{"name": "restart"}'),
  (4, '[1, 2]');
