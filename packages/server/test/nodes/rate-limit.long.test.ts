import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { call } from '../helpers/http/api.ts';
import { startNodes } from '../helpers/servers/nodes.ts';

/** A node hears of the others every five seconds. */
const HEARD_MS = 6000;
const A_MINUTE = 40;

describe.skipIf(!(await hasPostgres()))('the rate limit of two nodes', () => {
  it('is one limit that they share', async () => {
    const nodes = await startNodes({
      roles: ['api', 'api', 'worker'],
      flags: { rateLimit: A_MINUTE },
    });
    try {
      await new Promise((resolve) => setTimeout(resolve, HEARD_MS));
      const [one, two] = nodes.nodes;
      const token = await one?.token();
      const started = performance.now();
      let accepted = 0;
      for (let n = 0; n < 60; n++) {
        for (const node of [one, two]) {
          const { status } = await call(`${node?.url}/discovery`, { token: String(token) });
          expect([200, 429]).toContain(status);
          if (status === 200) accepted++;
        }
      }
      const refilled = ((performance.now() - started) / 60_000) * A_MINUTE;
      expect(accepted).toBeGreaterThanOrEqual(A_MINUTE);
      // Each node rounds its share up.
      expect(accepted).toBeLessThanOrEqual(A_MINUTE + refilled + 2);
    } finally {
      await nodes.close();
    }
  });
});
