-- She lives with Bob, and has a place of her own.
INSERT INTO households VALUES (3, '3 Back Lane');
INSERT INTO members VALUES (1, 1, 'jane@example.com', 'Jane Doe'), (4, 3, 'JANE@example.com', 'Jane Doe');
INSERT INTO payments VALUES (3, 3, 750);
