INSERT INTO members VALUES
  (2, 'bob', 'bob@example.com', NULL),
  (3, 'carol', 'carol@example.com', 2);
INSERT INTO topics (id, author_id, title) VALUES (1, NULL, 'Tomatoes'), (2, 2, 'Roses');
INSERT INTO posts VALUES
  (2, 1, 2, NULL, 'They need sun.'),
  (3, 1, 3, 2, 'And water.'),
  (4, 2, 2, NULL, 'Mine are red.');
UPDATE topics SET first_post_id = 4 WHERE id = 2;
INSERT INTO likes VALUES (2, 3), (3, 2);
INSERT INTO follows VALUES (2, 3), (3, 2);
INSERT INTO messages VALUES (2, 2, 3, 'Hello Carol');
