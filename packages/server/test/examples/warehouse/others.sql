INSERT INTO raw.page_views VALUES
  ('2026-01-01Z', 'bob@example.com', '/'),
  ('2026-01-01Z', 'bob@example.com', '/'),
  ('2026-01-01Z', 'jane@example.com.au', '/'),
  ('2026-01-01Z', NULL, '/');
INSERT INTO marts.sales VALUES
  ('2026-01-01', 'bob@example.com', 'Bob', 'Kettle', 20),
  ('2026-01-01', NULL, NULL, 'Kettle', 20);
