INSERT INTO contacts (id, name, email, phone_number, account_id, identifier, additional_attributes) VALUES
  (1, 'Jane at Acme', 'Jane@example.com', '+49 15550001', 1, 'c-4711', '{"city": "Jane at Acme lives there"}');
INSERT INTO contact_inboxes VALUES (1, 1, 1, 'pack-4711', 'token-1');
INSERT INTO conversations (id, account_id, inbox_id, assignee_id, contact_id, contact_inbox_id) VALUES
  (1, 1, 1, 2, 1, 1);
INSERT INTO messages VALUES
  (11, 'Where is my order?', 1, 1, 1, 0, 'Contact', 1), (12, 'Dear Jane at Acme, …', 1, 1, 1, 1, 'User', 2);
INSERT INTO attachments VALUES (1, 11, 1, 'https://files.invalid/1', 'my order');
INSERT INTO notes VALUES (1, 'always in a hurry', 1, 1, 2);
INSERT INTO csat_survey_responses VALUES (1, 1, 1, 12, 1, 'in a hurry', 1, 2);
-- Who was told about her conversation.
INSERT INTO mentions VALUES (1, 2, 1, 1);
INSERT INTO notifications VALUES (1, 1, 2, 1, 'Conversation', 1);
-- She as an agent.
INSERT INTO account_users VALUES (3, 1, 1, 0, 2);
INSERT INTO team_members VALUES (3, 1, 1);
INSERT INTO inbox_members VALUES (3, 1, 1);
INSERT INTO mentions VALUES (4, 1, 2, 1);
INSERT INTO notifications VALUES (5, 1, 1, 1, 'Conversation', 2), (6, 1, 1, 9, 'Team', 1);
