import type { Example } from '../example.ts';

export const saas: Example = {
  folder: 'saas',
  heading: '2. A SaaS with accounts',
  database: 'PostgreSQL',
  controller: 'saas',
  identities: [['email', 'jane@example.com']],
  traces: ['000000000001', 'jane at acme', '192.0.2.1', 'nearly'],
  left: {
    audit_events: [{ id: 1, account_id: 1, actor_id: null, ip: null, event: 'login' }],
  },
};
