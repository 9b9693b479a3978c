INSERT INTO contacts VALUES (1, 1, 2, 'Jane Doe', 'jane@initech.example', 'jane.doe@example.com');
UPDATE contacts SET reports_to_id = 1 WHERE id = 2;
UPDATE companies SET main_contact_id = 1 WHERE id = 1;
INSERT INTO deals VALUES (1, 1, 1, 'Stapler for Jane Doe', 10);
INSERT INTO notes VALUES
  (1, 'Contact', 1, 'Jane Doe is on leave'),
  (5, 'Deal', 1, 'Jane Doe wants it in red');
INSERT INTO taggings VALUES ('vip', 'Contact', 1), ('hot', 'Deal', 1);
INSERT INTO mails VALUES
  (1, 'Jane@Initech.example', 'sales@crm.example', 'Hello, Jane Doe here'),
  (3, 'sales@crm.example', 'jane@initech.example', 'Hello Jane Doe'),
  (4, 'sales@crm.example', 'jane.doe@example.com', 'Hello Jane Doe');
