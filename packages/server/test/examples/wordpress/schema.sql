-- The tables of WordPress 6 and WooCommerce 10 (orders in their own tables) that hold people's data.
CREATE TABLE wp_users (
  ID                  bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_login          varchar(60) NOT NULL DEFAULT '',
  user_pass           varchar(255) NOT NULL DEFAULT '',
  user_nicename       varchar(50) NOT NULL DEFAULT '',
  user_email          varchar(100) NOT NULL DEFAULT '',
  user_url            varchar(100) NOT NULL DEFAULT '',
  user_registered     datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  user_activation_key varchar(255) NOT NULL DEFAULT '',
  user_status         int NOT NULL DEFAULT 0,
  display_name        varchar(250) NOT NULL DEFAULT '',
  KEY user_login_key (user_login),
  KEY user_nicename (user_nicename),
  KEY user_email (user_email)
);

CREATE TABLE wp_usermeta (
  umeta_id   bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id    bigint unsigned NOT NULL DEFAULT 0,
  meta_key   varchar(255) DEFAULT NULL,
  meta_value longtext,
  KEY user_id (user_id),
  KEY meta_key (meta_key(191))
);

CREATE TABLE wp_posts (
  ID                    bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_author           bigint unsigned NOT NULL DEFAULT 0,
  post_date             datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_date_gmt         datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_content          longtext NOT NULL,
  post_title            text NOT NULL,
  post_excerpt          text NOT NULL,
  post_status           varchar(20) NOT NULL DEFAULT 'publish',
  comment_status        varchar(20) NOT NULL DEFAULT 'open',
  ping_status           varchar(20) NOT NULL DEFAULT 'open',
  post_password         varchar(255) NOT NULL DEFAULT '',
  post_name             varchar(200) NOT NULL DEFAULT '',
  to_ping               text NOT NULL,
  pinged                text NOT NULL,
  post_modified         datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_modified_gmt     datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_content_filtered longtext NOT NULL,
  post_parent           bigint unsigned NOT NULL DEFAULT 0,
  guid                  varchar(255) NOT NULL DEFAULT '',
  menu_order            int NOT NULL DEFAULT 0,
  post_type             varchar(20) NOT NULL DEFAULT 'post',
  post_mime_type        varchar(100) NOT NULL DEFAULT '',
  comment_count         bigint NOT NULL DEFAULT 0,
  KEY post_name (post_name(191)),
  KEY type_status_date (post_type, post_status, post_date, ID),
  KEY post_parent (post_parent),
  KEY post_author (post_author)
);

CREATE TABLE wp_comments (
  comment_ID           bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  comment_post_ID      bigint unsigned NOT NULL DEFAULT 0,
  comment_author       tinytext NOT NULL,
  comment_author_email varchar(100) NOT NULL DEFAULT '',
  comment_author_url   varchar(200) NOT NULL DEFAULT '',
  comment_author_IP    varchar(100) NOT NULL DEFAULT '',
  comment_date         datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  comment_date_gmt     datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  comment_content      text NOT NULL,
  comment_karma        int NOT NULL DEFAULT 0,
  comment_approved     varchar(20) NOT NULL DEFAULT '1',
  comment_agent        varchar(255) NOT NULL DEFAULT '',
  comment_type         varchar(20) NOT NULL DEFAULT 'comment',
  comment_parent       bigint unsigned NOT NULL DEFAULT 0,
  user_id              bigint unsigned NOT NULL DEFAULT 0,
  KEY comment_post_ID (comment_post_ID),
  KEY comment_approved_date_gmt (comment_approved, comment_date_gmt),
  KEY comment_date_gmt (comment_date_gmt),
  KEY comment_parent (comment_parent),
  KEY comment_author_email (comment_author_email(10))
);

CREATE TABLE wp_commentmeta (
  meta_id    bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  comment_id bigint unsigned NOT NULL DEFAULT 0,
  meta_key   varchar(255) DEFAULT NULL,
  meta_value longtext,
  KEY comment_id (comment_id),
  KEY meta_key (meta_key(191))
);

CREATE TABLE wp_wc_orders (
  id                   bigint unsigned NOT NULL PRIMARY KEY,
  status               varchar(20) DEFAULT NULL,
  currency             varchar(10) DEFAULT NULL,
  type                 varchar(20) DEFAULT NULL,
  tax_amount           decimal(26, 8) DEFAULT NULL,
  total_amount         decimal(26, 8) DEFAULT NULL,
  customer_id          bigint unsigned DEFAULT NULL,
  billing_email        varchar(320) DEFAULT NULL,
  date_created_gmt     datetime DEFAULT NULL,
  date_updated_gmt     datetime DEFAULT NULL,
  parent_order_id      bigint unsigned DEFAULT NULL,
  payment_method       varchar(100) DEFAULT NULL,
  payment_method_title text,
  transaction_id       varchar(100) DEFAULT NULL,
  ip_address           varchar(100) DEFAULT NULL,
  user_agent           text,
  customer_note        text,
  KEY status (status),
  KEY date_created (date_created_gmt),
  KEY customer_id_billing_email (customer_id, billing_email(171)),
  KEY billing_email (billing_email(191)),
  KEY type_status_date (type, status, date_created_gmt),
  KEY parent_order_id (parent_order_id),
  KEY date_updated (date_updated_gmt)
);

CREATE TABLE wp_wc_order_addresses (
  id           bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id     bigint unsigned NOT NULL,
  address_type varchar(20) DEFAULT NULL,
  first_name   text,
  last_name    text,
  company      text,
  address_1    text,
  address_2    text,
  city         text,
  state        text,
  postcode     text,
  country      text,
  email        varchar(320) DEFAULT NULL,
  phone        varchar(100) DEFAULT NULL,
  UNIQUE KEY address_type_order_id (address_type, order_id),
  KEY order_id (order_id),
  KEY email (email(191)),
  KEY phone (phone)
);

CREATE TABLE wp_wc_orders_meta (
  id         bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id   bigint unsigned DEFAULT NULL,
  meta_key   varchar(255) DEFAULT NULL,
  meta_value text,
  KEY meta_key_value (meta_key(100), meta_value(82)),
  KEY order_id_meta_key_meta_value (order_id, meta_key(100), meta_value(82))
);

CREATE TABLE wp_wc_order_stats (
  order_id           bigint unsigned NOT NULL PRIMARY KEY,
  parent_id          bigint unsigned NOT NULL DEFAULT 0,
  date_created       datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  date_created_gmt   datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  date_paid          datetime DEFAULT '0000-00-00 00:00:00',
  date_completed     datetime DEFAULT '0000-00-00 00:00:00',
  num_items_sold     int NOT NULL DEFAULT 0,
  total_sales        double NOT NULL DEFAULT 0,
  tax_total          double NOT NULL DEFAULT 0,
  shipping_total     double NOT NULL DEFAULT 0,
  net_total          double NOT NULL DEFAULT 0,
  returning_customer tinyint(1) DEFAULT NULL,
  status             varchar(200) NOT NULL,
  customer_id        bigint unsigned NOT NULL,
  KEY date_created (date_created),
  KEY customer_id (customer_id),
  KEY status (status(191))
);

CREATE TABLE wp_wc_customer_lookup (
  customer_id      bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id          bigint unsigned DEFAULT NULL,
  username         varchar(60) NOT NULL DEFAULT '',
  first_name       varchar(255) NOT NULL,
  last_name        varchar(255) NOT NULL,
  email            varchar(100) DEFAULT NULL,
  date_last_active timestamp NULL DEFAULT NULL,
  date_registered  timestamp NULL DEFAULT NULL,
  country          char(2) NOT NULL DEFAULT '',
  postcode         varchar(20) NOT NULL DEFAULT '',
  city             varchar(100) NOT NULL DEFAULT '',
  state            varchar(100) NOT NULL DEFAULT '',
  UNIQUE KEY user_id (user_id),
  KEY email (email)
);

CREATE TABLE wp_woocommerce_order_items (
  order_item_id   bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_item_name text NOT NULL,
  order_item_type varchar(200) NOT NULL DEFAULT '',
  order_id        bigint unsigned NOT NULL,
  KEY order_id (order_id)
);

CREATE TABLE wp_woocommerce_order_itemmeta (
  meta_id       bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_item_id bigint unsigned NOT NULL,
  meta_key      varchar(255) DEFAULT NULL,
  meta_value    longtext,
  KEY order_item_id (order_item_id),
  KEY meta_key (meta_key(32))
);

CREATE TABLE wp_woocommerce_sessions (
  session_id     bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  session_key    char(32) NOT NULL,
  session_value  longtext NOT NULL,
  session_expiry bigint unsigned NOT NULL,
  UNIQUE KEY session_key (session_key),
  KEY session_expiry (session_expiry)
);

CREATE TABLE wp_woocommerce_api_keys (
  key_id          bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id         bigint unsigned NOT NULL,
  description     varchar(200) DEFAULT NULL,
  permissions     varchar(10) NOT NULL,
  consumer_key    char(64) NOT NULL,
  consumer_secret char(43) NOT NULL,
  nonces          longtext,
  truncated_key   char(7) NOT NULL,
  last_access     datetime DEFAULT NULL,
  KEY consumer_key (consumer_key),
  KEY consumer_secret (consumer_secret)
);

CREATE TABLE wp_woocommerce_payment_tokens (
  token_id   bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  gateway_id varchar(200) NOT NULL,
  token      text NOT NULL,
  user_id    bigint unsigned NOT NULL DEFAULT 0,
  type       varchar(200) NOT NULL,
  is_default tinyint(1) NOT NULL DEFAULT 0,
  KEY user_id (user_id)
);

CREATE TABLE wp_woocommerce_payment_tokenmeta (
  meta_id          bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  payment_token_id bigint unsigned NOT NULL,
  meta_key         varchar(255) DEFAULT NULL,
  meta_value       longtext,
  KEY payment_token_id (payment_token_id),
  KEY meta_key (meta_key(32))
);

CREATE TABLE wp_woocommerce_downloadable_product_permissions (
  permission_id       bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  download_id         varchar(36) NOT NULL,
  product_id          bigint unsigned NOT NULL,
  order_id            bigint unsigned NOT NULL DEFAULT 0,
  order_key           varchar(200) NOT NULL,
  user_email          varchar(200) NOT NULL,
  user_id             bigint unsigned DEFAULT NULL,
  downloads_remaining varchar(9) DEFAULT NULL,
  access_granted      datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  access_expires      datetime DEFAULT NULL,
  download_count      bigint unsigned NOT NULL DEFAULT 0,
  KEY order_id (order_id),
  KEY user_order_remaining_expires (user_id, order_id, downloads_remaining, access_expires)
);

CREATE TABLE wp_wc_download_log (
  download_log_id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  timestamp       datetime NOT NULL,
  permission_id   bigint unsigned NOT NULL,
  user_id         bigint unsigned DEFAULT NULL,
  user_ip_address varchar(100) DEFAULT '',
  KEY permission_id (permission_id),
  KEY timestamp (timestamp)
);
