import { expect } from 'vitest';
import type { Example } from '../example.ts';

const erased = { filename: 'erased', metadata: null };

export const rails: Example = {
  folder: 'rails',
  heading: '6. Rails',
  database: 'PostgreSQL',
  controller: 'rails',
  identities: [['email', 'jane@example.com']],
  traces: ['jane'],
  left: {
    // What the application's own job removes, as the page says.
    active_storage_blobs: [
      expect.objectContaining({ id: 1, ...erased }),
      expect.objectContaining({ id: 3, ...erased }),
      expect.objectContaining({ id: 6, filename: 'jane.png' }),
    ],
  },
  kept: ['active_storage_blobs'],
};
