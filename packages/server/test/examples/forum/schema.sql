CREATE TABLE members (
  id            int PRIMARY KEY,
  handle        text NOT NULL UNIQUE,
  email         text NOT NULL UNIQUE,
  invited_by_id int REFERENCES members
);

CREATE TABLE topics (
  id        int PRIMARY KEY,
  author_id int REFERENCES members,
  title     text NOT NULL
);

CREATE TABLE posts (
  id          int PRIMARY KEY,
  topic_id    int NOT NULL REFERENCES topics,
  author_id   int NOT NULL REFERENCES members,
  reply_to_id int REFERENCES posts,
  body        text NOT NULL
);

ALTER TABLE topics ADD COLUMN first_post_id int REFERENCES posts;

CREATE TABLE likes (
  member_id int NOT NULL REFERENCES members,
  post_id   int NOT NULL REFERENCES posts,
  PRIMARY KEY (member_id, post_id)
);

CREATE TABLE follows (
  follower_id int NOT NULL REFERENCES members,
  followed_id int NOT NULL REFERENCES members,
  PRIMARY KEY (follower_id, followed_id)
);

CREATE TABLE messages (
  id           int PRIMARY KEY,
  sender_id    int NOT NULL REFERENCES members,
  recipient_id int NOT NULL REFERENCES members,
  body         text NOT NULL
);

CREATE INDEX ON members (invited_by_id);
CREATE INDEX ON topics (author_id);
CREATE INDEX ON topics (first_post_id);
CREATE INDEX ON posts (author_id);
CREATE INDEX ON posts (reply_to_id);
CREATE INDEX ON likes (post_id);
CREATE INDEX ON follows (followed_id);
CREATE INDEX ON messages (sender_id);
CREATE INDEX ON messages (recipient_id);
