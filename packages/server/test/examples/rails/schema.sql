-- As the migrations of Rails 8 with Devise, Active Storage, Action Text and PaperTrail leave it.
CREATE TABLE schema_migrations (version varchar PRIMARY KEY);

CREATE TABLE ar_internal_metadata (
  key        varchar PRIMARY KEY,
  value      varchar,
  created_at timestamp(6) NOT NULL,
  updated_at timestamp(6) NOT NULL
);

CREATE TABLE users (
  id                     bigserial PRIMARY KEY,
  email                  varchar NOT NULL DEFAULT '',
  encrypted_password     varchar NOT NULL DEFAULT '',
  reset_password_token   varchar,
  reset_password_sent_at timestamp(6),
  remember_created_at    timestamp(6),
  name                   varchar,
  created_at             timestamp(6) NOT NULL,
  updated_at             timestamp(6) NOT NULL
);
CREATE UNIQUE INDEX index_users_on_email ON users (email);
CREATE UNIQUE INDEX index_users_on_reset_password_token ON users (reset_password_token);

CREATE TABLE posts (
  id         bigserial PRIMARY KEY,
  user_id    bigint NOT NULL REFERENCES users,
  title      varchar,
  created_at timestamp(6) NOT NULL,
  updated_at timestamp(6) NOT NULL
);
CREATE INDEX index_posts_on_user_id ON posts (user_id);

CREATE TABLE comments (
  id         bigserial PRIMARY KEY,
  post_id    bigint NOT NULL REFERENCES posts,
  user_id    bigint NOT NULL REFERENCES users,
  body       text,
  created_at timestamp(6) NOT NULL,
  updated_at timestamp(6) NOT NULL
);
CREATE INDEX index_comments_on_post_id ON comments (post_id);
CREATE INDEX index_comments_on_user_id ON comments (user_id);

CREATE TABLE action_text_rich_texts (
  id          bigserial PRIMARY KEY,
  name        varchar NOT NULL,
  body        text,
  record_type varchar NOT NULL,
  record_id   bigint NOT NULL,
  created_at  timestamp(6) NOT NULL,
  updated_at  timestamp(6) NOT NULL
);
CREATE UNIQUE INDEX index_action_text_rich_texts_uniqueness
  ON action_text_rich_texts (record_type, record_id, name);

CREATE TABLE active_storage_blobs (
  id           bigserial PRIMARY KEY,
  key          varchar NOT NULL,
  filename     varchar NOT NULL,
  content_type varchar,
  metadata     text,
  service_name varchar NOT NULL,
  byte_size    bigint NOT NULL,
  checksum     varchar,
  created_at   timestamp(6) NOT NULL
);
CREATE UNIQUE INDEX index_active_storage_blobs_on_key ON active_storage_blobs (key);

CREATE TABLE active_storage_attachments (
  id          bigserial PRIMARY KEY,
  name        varchar NOT NULL,
  record_type varchar NOT NULL,
  record_id   bigint NOT NULL,
  blob_id     bigint NOT NULL REFERENCES active_storage_blobs,
  created_at  timestamp(6) NOT NULL
);
CREATE INDEX index_active_storage_attachments_on_blob_id ON active_storage_attachments (blob_id);
CREATE UNIQUE INDEX index_active_storage_attachments_uniqueness
  ON active_storage_attachments (record_type, record_id, name, blob_id);

CREATE TABLE active_storage_variant_records (
  id               bigserial PRIMARY KEY,
  blob_id          bigint NOT NULL REFERENCES active_storage_blobs,
  variation_digest varchar NOT NULL
);
CREATE UNIQUE INDEX index_active_storage_variant_records_uniqueness
  ON active_storage_variant_records (blob_id, variation_digest);

CREATE TABLE versions (
  id             bigserial PRIMARY KEY,
  whodunnit      varchar,
  created_at     timestamp,
  item_id        bigint NOT NULL,
  item_type      varchar NOT NULL,
  event          varchar NOT NULL,
  object         json,
  object_changes json
);
CREATE INDEX index_versions_on_item_type_and_item_id ON versions (item_type, item_id);
