INSERT INTO products VALUES (1, 'A kettle'), (2, 'A lamp');
INSERT INTO customers VALUES
  (2, 'C-1002', 'john@example.org', 'John Doe', '+49 30 2222'),
  (3, 'C-1003', 'jane.roe@example.com', 'Jane Roe', NULL);
INSERT INTO orders VALUES (12, 2, 'John Doe, 2 Low Street', 20), (13, 3, NULL, 30);
INSERT INTO order_items VALUES (12, 1, 1), (13, 2, 3);
INSERT INTO invoices VALUES (102, 12, 'John Doe, 2 Low Street');
INSERT INTO carts VALUES (22, 2);
INSERT INTO cart_items VALUES (32, 22, 1);
INSERT INTO reviews VALUES (42, 1, 3, 'Boils well');
INSERT INTO newsletter VALUES ('john@example.org', 'John'), ('jane.roe@example.com', 'Jane');
