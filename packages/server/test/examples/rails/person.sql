INSERT INTO users (id, email, encrypted_password, name, created_at, updated_at)
VALUES (1, 'jane@example.com', '$2a$12$jane', 'Jane', '2026-01-01', '2026-01-01');
INSERT INTO posts VALUES (1, 1, 'Jane bakes', '2026-01-01', '2026-01-01');
INSERT INTO comments VALUES
  (11, 2, 1, 'By Jane, on Bob''s post', '2026-01-01', '2026-01-01'),
  (12, 1, 2, 'By Bob, on Jane''s post', '2026-01-01', '2026-01-01');
INSERT INTO action_text_rich_texts VALUES
  (1, 'content', '<p>By Jane</p>', 'Post', 1, '2026-01-01', '2026-01-01');
-- Her avatar, a picture in her post, and a picture that Carol uses too.
INSERT INTO active_storage_blobs VALUES
  (1, 'k1', 'jane.png', 'image/png', '{}', 's3', 10, 'c', '2026-01-01'),
  (3, 'k3', 'janes-bread.png', 'image/png', '{}', 's3', 10, 'c', '2026-01-01');
INSERT INTO active_storage_attachments VALUES
  (1, 'avatar', 'User', 1, 1, '2026-01-01'),
  (3, 'embeds', 'ActionText::RichText', 1, 3, '2026-01-01'),
  (5, 'cover', 'User', 1, 4, '2026-01-01');
-- The avatar in a smaller size, as Rails has kept it since 6.1.
INSERT INTO active_storage_variant_records VALUES (1, 1, 'digest');
INSERT INTO active_storage_blobs VALUES (6, 'k6', 'jane.png', 'image/png', '{}', 's3', 5, 'c', '2026-01-01');
INSERT INTO active_storage_attachments VALUES (6, 'image', 'ActiveStorage::VariantRecord', 1, 6, '2026-01-01');
INSERT INTO versions VALUES
  (1, '1', '2026-01-01', 1, 'User', 'update', '{"name":"Jane D."}', NULL),
  (11, '1', '2026-01-01', 1, 'Post', 'create', NULL, '{"title":[null,"Jane bakes"]}'),
  (12, '1', '2026-01-01', 11, 'Comment', 'create', NULL, '{"body":[null,"By Jane"]}');
