INSERT INTO customers VALUES (1, 'C-1001', 'Jane.Doe@example.com', 'Jane Doe', '+49 30 1111');
INSERT INTO orders VALUES (11, 1, 'Jane Doe, 1 High Street', 10), (14, 1, 'Jane Doe, c/o Smith', 40);
INSERT INTO order_items VALUES (11, 1, 1), (14, 2, 1);
INSERT INTO invoices VALUES (101, 11, 'Jane Doe, 1 High Street');
INSERT INTO carts VALUES (21, 1);
INSERT INTO cart_items VALUES (31, 21, 2);
INSERT INTO reviews VALUES (41, 1, 1, 'My name is Doe and I like it');
INSERT INTO newsletter VALUES ('jane.doe@example.com', 'Jane D.');
