INSERT INTO "Organization" VALUES ('org-1', 'Acme'), ('org-2', 'Globex');
INSERT INTO "Workspace" VALUES ('ws-1', 'App', 'org-1'), ('ws-2', 'Shop', 'org-1'), ('ws-3', 'App', 'org-2');
INSERT INTO "User" VALUES ('user-2', 'Bob', 'bob@example.com');
INSERT INTO "Invite" VALUES ('i-2', 'joe@example.com', 'Joe', 'org-1', 'user-2', NULL),
  ('i-3', 'jane@example.com', 'Jane', 'org-2', 'user-2', NULL);
INSERT INTO "Survey" VALUES ('s-1', 'How was it?', 'ws-1'), ('s-2', 'How was it?', 'ws-2'), ('s-3', 'How was it?', 'ws-3');
INSERT INTO "Tag" VALUES ('t-1', 'angry', 'ws-1'), ('t-3', 'angry', 'ws-3');
-- The attribute "email" has another id in each workspace.
INSERT INTO "ContactAttributeKey" VALUES
  ('key-a', 'email', true, 'ws-1'), ('key-b', 'userId', true, 'ws-1'), ('key-c', 'recommendedBy', false, 'ws-1'),
  ('key-d', 'email', true, 'ws-2'), ('key-e', 'email', true, 'ws-3'), ('key-f', 'city', false, 'ws-3');
INSERT INTO "Contact" VALUES ('joe', 'ws-1'), ('jane-3', 'ws-3');
INSERT INTO "ContactAttribute" VALUES
  ('a-21', 'key-a', 'joe', 'joe@example.com'), ('a-22', 'key-b', 'joe', 'u-1'),
  -- Joe knows her address: this attribute is his.
  ('a-23', 'key-c', 'joe', 'jane@example.com'),
  ('a-31', 'key-e', 'jane-3', 'jane@example.com'), ('a-32', 'key-f', 'jane-3', 'Bonn');
INSERT INTO "Display" VALUES ('d-2', 's-1', 'joe'), ('d-3', 's-3', 'jane-3'), ('d-4', 's-1', NULL);
INSERT INTO "Response" VALUES ('r-2', 's-1', 'joe', 'd-2', '{"q1": "fine"}', NULL),
  ('r-3', 's-3', 'jane-3', 'd-3', '{"q1": "fine"}', NULL), ('r-4', 's-1', NULL, 'd-4', '{"q1": "well"}', NULL);
INSERT INTO "TagsOnResponses" VALUES ('r-2', 't-1'), ('r-3', 't-3');
