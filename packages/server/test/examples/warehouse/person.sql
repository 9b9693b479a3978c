-- The same view, loaded twice.
INSERT INTO raw.page_views VALUES
  ('2026-01-01Z', 'jane@example.com', '/'),
  ('2026-01-01Z', 'jane@example.com', '/'),
  ('2026-01-02Z', 'JANE@example.com', '/account/jane');
INSERT INTO marts.sales VALUES
  ('2026-01-01', 'jane@example.com', 'Jane', 'Kettle', 20),
  ('2026-01-01', 'jane@example.com ', 'Jane', 'Lamp', 30);
