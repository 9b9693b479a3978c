CREATE TABLE members (
  id            integer PRIMARY KEY,
  handle        varchar(200) NOT NULL UNIQUE,
  email         varchar(200) NOT NULL UNIQUE,
  invited_by_id integer REFERENCES members (id)
);

CREATE TABLE topics (
  id        integer PRIMARY KEY,
  author_id integer REFERENCES members (id),
  title     varchar(200) NOT NULL
);

CREATE TABLE posts (
  id          integer PRIMARY KEY,
  topic_id    integer NOT NULL REFERENCES topics (id),
  author_id   integer NOT NULL REFERENCES members (id),
  reply_to_id integer REFERENCES posts (id),
  body        varchar(200) NOT NULL
);

ALTER TABLE topics ADD COLUMN first_post_id integer REFERENCES posts (id);

CREATE TABLE likes (
  member_id integer NOT NULL REFERENCES members (id),
  post_id   integer NOT NULL REFERENCES posts (id),
  PRIMARY KEY (member_id, post_id)
);

CREATE TABLE follows (
  follower_id integer NOT NULL REFERENCES members (id),
  followed_id integer NOT NULL REFERENCES members (id),
  PRIMARY KEY (follower_id, followed_id)
);

CREATE TABLE messages (
  id           integer PRIMARY KEY,
  sender_id    integer NOT NULL REFERENCES members (id),
  recipient_id integer NOT NULL REFERENCES members (id),
  body         varchar(200) NOT NULL
);

CREATE INDEX members_invited_by_id ON members (invited_by_id);
CREATE INDEX topics_author_id ON topics (author_id);
CREATE INDEX topics_first_post_id ON topics (first_post_id);
CREATE INDEX posts_author_id ON posts (author_id);
CREATE INDEX posts_reply_to_id ON posts (reply_to_id);
CREATE INDEX likes_post_id ON likes (post_id);
CREATE INDEX follows_followed_id ON follows (followed_id);
CREATE INDEX messages_sender_id ON messages (sender_id);
CREATE INDEX messages_recipient_id ON messages (recipient_id);
