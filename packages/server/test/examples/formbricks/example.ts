import type { Example } from '../example.ts';

export const formbricks: Example = {
  folder: 'formbricks',
  heading: '12. Formbricks',
  database: 'PostgreSQL',
  controller: 'formbricks',
  identities: [['email', 'jane@example.com']],
  traces: ['jane at acme', 'u-4711', 'too slow', 'lives in bonn'],
};
