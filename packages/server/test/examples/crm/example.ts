import type { Example } from '../example.ts';

export const crm: Example = {
  folder: 'crm',
  heading: '4. A CRM with polymorphic notes',
  database: 'PostgreSQL',
  controller: 'crm',
  identities: [['email', 'jane@initech.example']],
  traces: ['jane'],
  left: {
    deals: [{ id: 1, company_id: 1, contact_id: null, title: 'erased', amount: 10 }],
  },
};
