INSERT INTO households VALUES (1, '1 High Street'), (2, '2 Low Street');
INSERT INTO members VALUES (2, 1, 'bob@example.com', 'Bob Doe'), (3, 2, NULL, 'Carol');
INSERT INTO payments VALUES (1, 1, 1250), (2, 2, 1250);
