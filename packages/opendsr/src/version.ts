import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(
  // At the same depth in src/ and in dist/.
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

export const VERSION = String((manifest as { version?: unknown }).version);
