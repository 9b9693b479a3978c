INSERT INTO wp_users (ID, user_login, user_email, display_name) VALUES
  (1, 'admin', 'admin@example.com', 'Admin'), (8, 'bob', 'bob@example.com', 'Bob');
INSERT INTO wp_usermeta VALUES (1, 1, 'nickname', 'admin'), (2, 8, 'billing_email', 'bob@example.com');
INSERT INTO wp_posts (ID, post_author, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered)
VALUES
  (1, 1, 'Welcome', 'Hello', '', '', '', ''), (2, 1, 'A guest post', 'Tea', '', '', '', '');
-- A guest's comment, Bob's, a note on Bob's order 7, and a comment on a post that has the number of an order.
INSERT INTO wp_comments
  (comment_ID, comment_post_ID, comment_author, comment_author_email, comment_author_IP, comment_content,
   comment_type, comment_parent, user_id)
VALUES
  (1, 1, 'Guest', 'guest@example.com', '192.0.2.9', 'Hi', 'comment', 0, 0),
  (2, 1, 'Bob', 'bob@example.com', '192.0.2.8', 'Hi there', 'comment', 11, 8),
  (3, 22, 'WooCommerce', 'woocommerce@example.com', '', 'Paid by Bob', 'order_note', 0, 0),
  (4, 21, 'Bob', 'bob@example.com', '192.0.2.8', 'Good kettle', 'review', 0, 8);
INSERT INTO wp_commentmeta VALUES (1, 4, 'rating', '5');
INSERT INTO wp_wc_orders (id, status, type, total_amount, customer_id, billing_email, ip_address) VALUES
  (22, 'wc-completed', 'shop_order', 20, 8, 'bob@example.com', '192.0.2.8'),
  (23, 'wc-completed', 'shop_order', 30, 0, 'guest@example.com', '192.0.2.9');
INSERT INTO wp_wc_order_addresses (id, order_id, address_type, first_name, last_name, email) VALUES
  (3, 22, 'billing', 'Bob', 'Doe', 'bob@example.com'), (4, 23, 'billing', 'Guest', 'Roe', 'guest@example.com');
INSERT INTO wp_wc_orders_meta VALUES
  (3, 22, '_billing_address_index', 'Bob Doe bob@example.com'), (4, 22, '_wc_order_attribution_source_type', 'organic');
INSERT INTO wp_wc_order_stats (order_id, status, customer_id, total_sales) VALUES
  (22, 'wc-completed', 2, 20), (23, 'wc-completed', 3, 30);
INSERT INTO wp_wc_customer_lookup (customer_id, user_id, username, first_name, last_name, email) VALUES
  (2, 8, 'bob', 'Bob', 'Doe', 'bob@example.com'), (3, NULL, '', 'Guest', 'Roe', 'guest@example.com');
INSERT INTO wp_woocommerce_order_items VALUES (2, 'Kettle', 'line_item', 22);
INSERT INTO wp_woocommerce_order_itemmeta VALUES (2, 2, '_qty', '1');
INSERT INTO wp_woocommerce_sessions VALUES (2, '8', 'a:0:{}', 1), (3, 't_7f3a', 'a:0:{}', 1);
INSERT INTO wp_woocommerce_api_keys VALUES (2, 1, 'ERP', 'read', 'ck2', 'cs2', NULL, 'ck2', NULL);
INSERT INTO wp_woocommerce_payment_tokens VALUES (2, 'stripe', 'tok_bob', 8, 'CC', 1);
INSERT INTO wp_woocommerce_payment_tokenmeta VALUES (2, 2, 'last4', '2222');
INSERT INTO wp_woocommerce_downloadable_product_permissions
  (permission_id, download_id, product_id, order_id, order_key, user_email, user_id)
VALUES (2, 'd', 5, 22, 'k22', 'bob@example.com', 8);
INSERT INTO wp_wc_download_log VALUES (2, '2026-01-01', 2, 8, '192.0.2.8');
