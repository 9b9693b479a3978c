import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { call } from '../helpers/http/api.ts';
import { startNodes } from '../helpers/servers/nodes.ts';

/** A node hears of the others every five seconds. */
const HEARD_MS = 6000;

describe.skipIf(!(await hasPostgres()))('the rate limit of two nodes', () => {
  it('is one limit that they share', async () => {
    const nodes = await startNodes({ roles: ['api', 'api', 'worker'], flags: { rateLimit: 40 } });
    try {
      await new Promise((resolve) => setTimeout(resolve, HEARD_MS));
      const [one, two] = nodes.nodes;
      const token = await one?.token();
      let accepted = 0;
      for (let n = 0; n < 60; n++) {
        for (const node of [one, two]) {
          const { status } = await call(`${node?.url}/discovery`, { token: String(token) });
          expect([200, 429]).toContain(status);
          if (status === 200) accepted++;
        }
      }
      expect(accepted).toBeGreaterThanOrEqual(40);
      // What was filled in meanwhile.
      expect(accepted).toBeLessThan(50);
    } finally {
      await nodes.close();
    }
  });
});
