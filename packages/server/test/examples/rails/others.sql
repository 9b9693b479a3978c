INSERT INTO users (id, email, name, created_at, updated_at) VALUES
  (2, 'bob@example.com', 'Bob', '2026-01-01', '2026-01-01'),
  (3, 'carol@example.com', 'Carol', '2026-01-01', '2026-01-01');
INSERT INTO posts VALUES (2, 2, 'Bread', '2026-01-01', '2026-01-01');
INSERT INTO comments VALUES (2, 2, 3, 'Nice', '2026-01-01', '2026-01-01');
-- Comment 1 is Carol's; post 1 and user 1 are Jane's.
INSERT INTO comments VALUES (1, 2, 3, 'Thanks', '2026-01-01', '2026-01-01');
INSERT INTO action_text_rich_texts VALUES
  (2, 'content', '<p>Bake it</p>', 'Post', 2, '2026-01-01', '2026-01-01'),
  (3, 'content', '<p>Thanks</p>', 'Comment', 1, '2026-01-01', '2026-01-01');
INSERT INTO active_storage_blobs VALUES
  (2, 'k2', 'bob.png', 'image/png', '{}', 's3', 10, 'c', '2026-01-01'),
  (4, 'k4', 'default.png', 'image/png', '{}', 's3', 10, 'c', '2026-01-01');
INSERT INTO active_storage_attachments VALUES
  (2, 'avatar', 'User', 2, 2, '2026-01-01'),
  (4, 'avatar', 'User', 3, 4, '2026-01-01');
INSERT INTO versions VALUES
  (2, '2', '2026-01-01', 2, 'User', 'update', '{"name":"Bobby"}', NULL),
  (3, '3', '2026-01-01', 1, 'Comment', 'create', NULL, '{"body":[null,"Thanks"]}');
