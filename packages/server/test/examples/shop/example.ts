import { expect } from 'vitest';
import type { Example } from '../example.ts';

export const shop: Example = {
  folder: 'shop',
  heading: '1. A shop',
  database: 'PostgreSQL',
  controller: 'shop',
  identities: [['controller_customer_id', 'C-1001']],
  traces: ['c-1001', 'jane.doe', 'jane doe', 'jane d.', '30 1111', 'my name is'],
  left: {
    customers: [
      {
        id: 1,
        number: expect.stringMatching(/^erased-\w+$/),
        email: expect.stringMatching(/^erased-\w+@example\.invalid$/),
        name: 'erased',
        phone: null,
      },
    ],
    orders: [
      { id: 11, customer_id: 1, ship_to: null, total: 10 },
      { id: 14, customer_id: 1, ship_to: null, total: 40 },
    ],
    order_items: [
      { order_id: 11, product_id: 1, quantity: 1 },
      { order_id: 14, product_id: 2, quantity: 1 },
    ],
    invoices: [{ id: 101, order_id: 11, billed_to: 'Jane Doe, 1 High Street' }],
  },
  kept: ['invoices'],
};
