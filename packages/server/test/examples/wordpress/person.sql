INSERT INTO wp_users (ID, user_login, user_pass, user_nicename, user_email, display_name) VALUES
  (7, 'jane', '$P$jane', 'jane', 'jane@example.com', 'Jane Doe');
INSERT INTO wp_usermeta VALUES (7, 7, 'first_name', 'Jane'), (8, 7, 'billing_phone', '030 1111');
UPDATE wp_posts SET post_author = 7 WHERE ID = 2;
-- As a user, as a guest before she had an account, and a note on her order.
INSERT INTO wp_comments
  (comment_ID, comment_post_ID, comment_author, comment_author_email, comment_author_url, comment_author_IP,
   comment_content, comment_agent, comment_type, user_id)
VALUES
  (11, 1, 'Jane', 'Jane@example.com', 'https://jane.example', '192.0.2.7', 'First!', 'Firefox', 'comment', 7),
  (12, 1, 'Jane D.', 'jane@example.com', '', '192.0.2.7', 'Me again', '', 'comment', 0),
  (13, 21, 'WooCommerce', 'woocommerce@example.com', '', '', 'Jane called', '', 'order_note', 0);
INSERT INTO wp_commentmeta VALUES (11, 12, 'akismet_as_submitted', 'Jane D.'), (13, 13, 'is_customer_note', '0');
-- An order of her account, and one as a guest.
INSERT INTO wp_wc_orders
  (id, status, type, total_amount, customer_id, billing_email, transaction_id, ip_address, user_agent, customer_note)
VALUES
  (21, 'wc-completed', 'shop_order', 10, 7, 'jane@work.example', 'ch_jane', '192.0.2.7', 'Firefox', 'Ring at Doe'),
  (24, 'wc-completed', 'shop_order', 40, 0, 'JANE@example.com', NULL, '192.0.2.7', NULL, NULL);
INSERT INTO wp_wc_order_addresses
  (id, order_id, address_type, first_name, last_name, address_1, postcode, country, email, phone)
VALUES
  (1, 21, 'billing', 'Jane', 'Doe', '1 High Street', '10115', 'DE', 'jane@example.com', '030 1111'),
  (2, 21, 'shipping', 'Jane', 'Doe', '1 High Street', '10115', 'DE', NULL, NULL),
  (5, 24, 'billing', 'Jane', 'Doe', '1 High Street', '10115', 'DE', 'JANE@example.com', NULL);
INSERT INTO wp_wc_orders_meta VALUES
  (1, 21, '_billing_address_index', 'Jane Doe 1 High Street'), (2, 21, '_wc_order_attribution_source_type', 'organic');
INSERT INTO wp_wc_order_stats (order_id, status, customer_id, total_sales) VALUES
  (21, 'wc-completed', 1, 10), (24, 'wc-completed', 4, 40);
INSERT INTO wp_wc_customer_lookup (customer_id, user_id, username, first_name, last_name, email) VALUES
  (1, 7, 'jane', 'Jane', 'Doe', 'jane@example.com'), (4, NULL, '', 'Jane', 'Doe', 'jane@example.com');
INSERT INTO wp_woocommerce_order_items VALUES (1, 'Kettle', 'line_item', 21);
INSERT INTO wp_woocommerce_order_itemmeta VALUES (1, 1, '_qty', '1');
INSERT INTO wp_woocommerce_sessions VALUES (1, '7', 'a:1:{s:5:"email";s:16:"jane@example.com";}', 1);
INSERT INTO wp_woocommerce_payment_tokens VALUES (1, 'stripe', 'tok_jane', 7, 'CC', 1);
INSERT INTO wp_woocommerce_payment_tokenmeta VALUES (1, 1, 'last4', '1111');
INSERT INTO wp_woocommerce_downloadable_product_permissions
  (permission_id, download_id, product_id, order_id, order_key, user_email, user_id)
VALUES (1, 'd', 5, 21, 'k21', 'jane@example.com', 7);
INSERT INTO wp_wc_download_log VALUES (1, '2026-01-01', 1, 7, '192.0.2.7');
