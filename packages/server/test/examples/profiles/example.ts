import type { Example } from '../example.ts';

export const profiles: Example = {
  folder: 'profiles',
  heading: '9. Profiles in JSON',
  database: 'PostgreSQL',
  controller: 'profiles',
  identities: [['email', 'jane.doe@example.com']],
  traces: ['jane.doe', 'jane doe', '30 1111'],
  left: {
    profiles: [
      {
        id: '00000000-0000-4000-8000-000000000001',
        data: { contact: { name: null }, plan: 'pro' },
      },
    ],
  },
};
