INSERT INTO members VALUES (1, 'green_jane', 'jane@example.com', 2);
UPDATE members SET invited_by_id = 1 WHERE id = 2;
-- She began the first topic; Bob answered her, and she answered herself.
INSERT INTO posts VALUES
  (1, 1, 1, NULL, 'My tomatoes stay green. Jane'),
  (5, 1, 1, 3, 'Water, of course. Jane'),
  (6, 1, 1, 5, 'And red now! Jane');
UPDATE topics SET author_id = 1, first_post_id = 1 WHERE id = 1;
UPDATE posts SET reply_to_id = 1 WHERE id = 2;
INSERT INTO likes VALUES (1, 2), (2, 1), (3, 5);
INSERT INTO follows VALUES (1, 2), (3, 1);
INSERT INTO messages VALUES (1, 1, 2, 'Hello Bob, it is Jane'), (3, 3, 1, 'Hello Jane');
