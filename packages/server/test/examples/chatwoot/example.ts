import type { Example } from '../example.ts';

export const chatwoot: Example = {
  folder: 'chatwoot',
  heading: '11. Chatwoot',
  database: 'PostgreSQL',
  controller: 'chatwoot',
  identities: [['controller_customer_id', 'c-4711']],
  traces: ['c-4711', 'jane at acme', '15550001', 'my order', 'in a hurry', 'pack-4711'],
};
