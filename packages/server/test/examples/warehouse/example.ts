import type { Example } from '../example.ts';

export const warehouse: Example = {
  folder: 'warehouse',
  heading: '8. A warehouse without keys',
  database: 'PostgreSQL',
  controller: 'warehouse',
  identities: [['email', 'jane@example.com']],
  traces: ['"jane"', 'jane@example.com"', '/jane'],
  left: {
    'marts.sales': [
      { sold_on: '2026-01-01', buyer_email: null, buyer_name: null, product: 'Kettle', amount: 20 },
      { sold_on: '2026-01-01', buyer_email: null, buyer_name: null, product: 'Lamp', amount: 30 },
    ],
  },
};
