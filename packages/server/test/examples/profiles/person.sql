INSERT INTO profiles VALUES
  ('00000000-0000-4000-8000-000000000001',
   '{"contact": {"email": "Jane.Doe@example.com", "name": "Jane Doe", "phones": ["+49 30 1111"]}, "plan": "pro"}');
INSERT INTO events VALUES
  (1, '{"name": "login", "user": {"email": "jane.doe@example.com", "name": "Jane Doe"}}');
