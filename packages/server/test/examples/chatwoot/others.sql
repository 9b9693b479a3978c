INSERT INTO accounts VALUES (1, 'Acme'), (2, 'Globex');
-- Jane is an agent of both accounts, and a customer of both.
INSERT INTO users (id, uid, name, email, last_sign_in_ip) VALUES
  (1, 'jane@example.com', 'Jane', 'jane@example.com', '192.0.2.1'),
  (2, 'bob@example.com', 'Bob', 'bob@example.com', '192.0.2.2');
INSERT INTO account_users VALUES (1, 1, 2, 1, NULL), (2, 2, 1, 1, NULL);
INSERT INTO teams VALUES (1, 'support', 1), (2, 'support', 2);
INSERT INTO team_members VALUES (1, 1, 2), (2, 2, 1);
INSERT INTO inboxes VALUES (1, 1, 'Channel::Email', 1, 'Mail'), (2, 2, 'Channel::Email', 2, 'Mail');
INSERT INTO inbox_members VALUES (1, 2, 1), (2, 1, 2);
INSERT INTO contacts (id, name, email, phone_number, account_id, identifier) VALUES
  (2, 'Joe', 'joe@example.com', '+49 15550002', 1, 'c-1'),
  (3, 'Jane at Globex', 'jane@example.com', '+49 15550003', 2, 'c-4712');
INSERT INTO contact_inboxes VALUES
  (2, 2, 1, 'joe@example.com', 'token-2'), (3, 3, 2, 'jane@example.com', 'token-3');
INSERT INTO conversations (id, account_id, inbox_id, assignee_id, contact_id, contact_inbox_id) VALUES
  (2, 1, 1, 2, 2, 2), (3, 2, 2, 1, 3, 3);
INSERT INTO messages VALUES
  (21, 'Is it blue?', 1, 1, 2, 0, 'Contact', 2), (22, 'Yes.', 1, 1, 2, 1, 'User', 2),
  (31, 'Is it green?', 2, 2, 3, 0, 'Contact', 3), (32, 'No.', 2, 2, 3, 1, 'User', 1);
INSERT INTO attachments VALUES (2, 21, 1, 'https://files.invalid/2', 'a picture');
INSERT INTO notes VALUES (2, 'friendly', 1, 2, 2), (3, 'friendly', 2, 3, 1);
INSERT INTO csat_survey_responses VALUES (2, 1, 2, 22, 5, 'fine', 2, 2);
INSERT INTO mentions VALUES (2, 2, 2, 1), (3, 1, 3, 2);
INSERT INTO notifications VALUES
  (2, 1, 2, 1, 'Conversation', 2), (3, 2, 1, 1, 'Conversation', 3), (4, 1, 2, 9, 'Team', 1);
