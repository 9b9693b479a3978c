import { expect } from 'vitest';
import type { Example } from '../example.ts';

const comment = {
  comment_post_ID: 1,
  comment_author: 'Anonymous',
  comment_author_email: '',
  comment_author_url: '',
  comment_author_IP: '',
  comment_agent: '',
  user_id: 0,
};
const order = {
  status: 'wc-completed',
  type: 'shop_order',
  customer_id: 0,
  billing_email: null,
  transaction_id: null,
  ip_address: null,
  user_agent: null,
  customer_note: null,
};
const address = {
  first_name: null,
  last_name: null,
  company: null,
  address_1: null,
  address_2: null,
  city: null,
  state: null,
  postcode: null,
  country: 'DE',
  email: null,
  phone: null,
};

export const wordpress: Example = {
  folder: 'wordpress',
  heading: '7. WordPress with WooCommerce',
  database: 'MariaDB',
  controller: 'wordpress',
  identities: [['email', 'jane@example.com']],
  traces: ['jane', '1111', '192.0.2.7', 'ring at', 'high street'],
  left: {
    wp_comments: [
      expect.objectContaining({ comment_ID: 11, comment_content: 'First!', ...comment }),
      expect.objectContaining({ comment_ID: 12, comment_content: 'Me again', ...comment }),
    ],
    wp_wc_orders: [
      expect.objectContaining({ id: 21, total_amount: '10.00000000', ...order }),
      expect.objectContaining({ id: 24, total_amount: '40.00000000', ...order }),
    ],
    wp_wc_order_addresses: [
      { id: 1, order_id: 21, address_type: 'billing', ...address },
      { id: 2, order_id: 21, address_type: 'shipping', ...address },
      { id: 5, order_id: 24, address_type: 'billing', ...address },
    ],
    wp_wc_orders_meta: [
      { id: 2, order_id: 21, meta_key: '_wc_order_attribution_source_type', meta_value: 'organic' },
    ],
    wp_wc_order_stats: [
      expect.objectContaining({ order_id: 21, customer_id: 1, total_sales: 10 }),
      expect.objectContaining({ order_id: 24, customer_id: 4, total_sales: 40 }),
    ],
    wp_woocommerce_order_items: [expect.objectContaining({ order_item_id: 1, order_id: 21 })],
    wp_woocommerce_order_itemmeta: [expect.objectContaining({ meta_id: 1, order_item_id: 1 })],
  },
};
