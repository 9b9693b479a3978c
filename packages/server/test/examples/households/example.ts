import type { Example } from '../example.ts';

export const households: Example = {
  folder: 'households',
  heading: '10. Households',
  database: 'SQLite',
  controller: 'households',
  identities: [['email', 'jane@example.com']],
  traces: ['jane', 'back lane'],
};
