import type { Example } from '../example.ts';

export const forum: Example = {
  folder: 'forum',
  heading: '3. A forum with replies',
  database: 'PostgreSQL',
  controller: 'forum',
  identities: [['email', 'jane@example.com']],
  traces: ['jane'],
};
