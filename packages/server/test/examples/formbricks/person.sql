-- A contact in each workspace of Acme.
INSERT INTO "Contact" VALUES ('jane-1', 'ws-1'), ('jane-2', 'ws-2');
INSERT INTO "ContactAttribute" VALUES
  ('a-11', 'key-a', 'jane-1', 'Jane@example.com'), ('a-12', 'key-b', 'jane-1', 'u-4711'),
  ('a-13', 'key-c', 'jane-1', 'joe@example.com'), ('a-14', 'key-d', 'jane-2', 'jane@example.com');
INSERT INTO "Display" VALUES ('d-1', 's-1', 'jane-1'), ('d-5', 's-2', 'jane-2');
INSERT INTO "Response" VALUES
  ('r-1', 's-1', 'jane-1', 'd-1', '{"q1": "too slow"}', '{"userId": "u-4711", "name": "Jane at Acme"}'),
  ('r-5', 's-2', 'jane-2', 'd-5', '{"q1": "lives in Bonn"}', NULL);
INSERT INTO "TagsOnResponses" VALUES ('r-1', 't-1');
INSERT INTO "Invite" VALUES ('i-1', 'jane@example.com', 'Jane at Acme', 'org-1', 'user-2', NULL);
