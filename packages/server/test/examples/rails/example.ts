import type { Example } from '../example.ts';

export const rails: Example = {
  folder: 'rails',
  heading: '6. Rails',
  database: 'PostgreSQL',
  controller: 'rails',
  identities: [['email', 'jane@example.com']],
  traces: ['jane'],
};
