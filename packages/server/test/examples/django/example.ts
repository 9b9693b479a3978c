import type { Example } from '../example.ts';

/** Asked for by an address that only django-allauth knows. */
export const django: Example = {
  folder: 'django',
  heading: '5. Django',
  database: 'PostgreSQL',
  controller: 'django',
  identities: [['email', 'jane.doe@example.org']],
  traces: ['jane', 'k17', 't17', 'pbkdf2'],
};
