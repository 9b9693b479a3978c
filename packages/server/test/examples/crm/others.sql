INSERT INTO companies (id, name) VALUES (1, 'Initech'), (2, 'Hooli');
INSERT INTO contacts VALUES
  (2, 1, NULL, 'Bob', 'bob@initech.example', 'bob@example.com'),
  (3, 2, NULL, 'Carol', 'carol@hooli.example', NULL);
UPDATE companies SET main_contact_id = 3 WHERE id = 2;
INSERT INTO deals VALUES (2, 1, 2, 'Printers for Bob', 100), (3, 2, 3, 'Phones', 200);
-- Company 1, contact 1 and deal 1 are three things with one number.
INSERT INTO notes VALUES
  (2, 'Company', 1, 'Pays late'),
  (3, 'Contact', 2, 'Likes coffee'),
  (4, 'Deal', 2, 'On hold');
INSERT INTO taggings VALUES ('vip', 'Company', 1), ('vip', 'Contact', 3), ('hot', 'Deal', 2);
INSERT INTO mails VALUES (2, 'bob@initech.example', 'sales@crm.example', 'Hello');
