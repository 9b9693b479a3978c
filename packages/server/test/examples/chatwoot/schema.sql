-- What Chatwoot's migrations make, without the columns that say nothing about whose a row is.
CREATE TABLE accounts (
  id   serial PRIMARY KEY,
  name varchar NOT NULL
);

CREATE TABLE users (
  id            serial PRIMARY KEY,
  provider      varchar NOT NULL DEFAULT 'email',
  uid           varchar NOT NULL DEFAULT '',
  name          varchar NOT NULL,
  email         varchar,
  last_sign_in_ip varchar,
  UNIQUE (uid, provider)
);
CREATE INDEX ON users (email);

CREATE TABLE account_users (
  id         bigserial PRIMARY KEY,
  account_id bigint,
  user_id    bigint,
  role       integer DEFAULT 0,
  inviter_id bigint,
  UNIQUE (account_id, user_id)
);
CREATE INDEX ON account_users (user_id);

CREATE TABLE teams (
  id         bigserial PRIMARY KEY,
  name       varchar NOT NULL,
  account_id bigint NOT NULL,
  UNIQUE (name, account_id)
);

CREATE TABLE team_members (
  id      bigserial PRIMARY KEY,
  team_id bigint NOT NULL,
  user_id bigint NOT NULL,
  UNIQUE (team_id, user_id)
);
CREATE INDEX ON team_members (user_id);

CREATE TABLE inboxes (
  id           serial PRIMARY KEY,
  channel_id   integer NOT NULL,
  channel_type varchar,
  account_id   integer NOT NULL,
  name         varchar NOT NULL
);

CREATE TABLE inbox_members (
  id       serial PRIMARY KEY,
  user_id  integer NOT NULL,
  inbox_id integer NOT NULL,
  UNIQUE (inbox_id, user_id)
);

CREATE TABLE contacts (
  id                    serial PRIMARY KEY,
  name                  varchar DEFAULT '',
  email                 varchar,
  phone_number          varchar,
  account_id            integer NOT NULL,
  additional_attributes jsonb DEFAULT '{}',
  identifier            varchar,
  custom_attributes     jsonb DEFAULT '{}',
  UNIQUE (email, account_id),
  UNIQUE (identifier, account_id)
);
CREATE INDEX ON contacts (lower(email), account_id);
CREATE INDEX ON contacts (phone_number, account_id);

CREATE TABLE contact_inboxes (
  id           bigserial PRIMARY KEY,
  contact_id   bigint,
  inbox_id     bigint,
  source_id    text NOT NULL,
  pubsub_token varchar UNIQUE,
  UNIQUE (inbox_id, source_id)
);
CREATE INDEX ON contact_inboxes (contact_id);

CREATE TABLE conversations (
  id                    serial PRIMARY KEY,
  account_id            integer NOT NULL,
  inbox_id              integer NOT NULL,
  assignee_id           integer,
  contact_id            bigint,
  display_id            integer NOT NULL,
  additional_attributes jsonb DEFAULT '{}',
  contact_inbox_id      bigint,
  uuid                  uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  team_id               bigint,
  UNIQUE (account_id, display_id)
);
CREATE INDEX ON conversations (contact_id);

-- Each account has a sequence of its own for the numbers of its conversations.
CREATE FUNCTION number_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.display_id := nextval('conv_dpid_seq_' || NEW.account_id);
  RETURN NEW;
END $$;
CREATE SEQUENCE conv_dpid_seq_1;
CREATE SEQUENCE conv_dpid_seq_2;
CREATE TRIGGER conversations_before_insert_row_tr BEFORE INSERT ON conversations
  FOR EACH ROW EXECUTE FUNCTION number_conversation();

CREATE TABLE messages (
  id                 serial PRIMARY KEY,
  content            text,
  account_id         integer NOT NULL,
  inbox_id           integer NOT NULL,
  conversation_id    integer NOT NULL,
  message_type       integer NOT NULL,
  sender_type        varchar,
  sender_id          bigint,
  content_attributes json DEFAULT '{}'
);
CREATE INDEX ON messages (conversation_id);
CREATE INDEX ON messages (sender_type, sender_id);

CREATE TABLE attachments (
  id             serial PRIMARY KEY,
  message_id     integer NOT NULL,
  account_id     integer NOT NULL,
  external_url   varchar,
  fallback_title varchar
);
CREATE INDEX ON attachments (message_id);

CREATE TABLE notes (
  id         bigserial PRIMARY KEY,
  content    text NOT NULL,
  account_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  user_id    bigint
);
CREATE INDEX ON notes (contact_id);

CREATE TABLE csat_survey_responses (
  id                bigserial PRIMARY KEY,
  account_id        bigint NOT NULL,
  conversation_id   bigint NOT NULL,
  message_id        bigint NOT NULL UNIQUE,
  rating            integer NOT NULL,
  feedback_message  text,
  contact_id        bigint NOT NULL,
  assigned_agent_id bigint
);
CREATE INDEX ON csat_survey_responses (contact_id);

CREATE TABLE mentions (
  id              bigserial PRIMARY KEY,
  user_id         bigint NOT NULL,
  conversation_id bigint NOT NULL,
  account_id      bigint NOT NULL,
  UNIQUE (user_id, conversation_id)
);
CREATE INDEX ON mentions (conversation_id);

CREATE TABLE notifications (
  id                 bigserial PRIMARY KEY,
  account_id         bigint NOT NULL,
  user_id            bigint NOT NULL,
  notification_type  integer NOT NULL,
  primary_actor_type varchar NOT NULL,
  primary_actor_id   bigint NOT NULL
);
CREATE INDEX ON notifications (user_id);
CREATE INDEX ON notifications (primary_actor_type, primary_actor_id);
