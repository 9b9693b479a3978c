// All connections of a node's pool wait for a lock that somebody else holds: callers are told to come back, and are
// served when it is gone.
import { expect, it } from 'vitest';
import { freshPostgres, hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { makeController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startNodes } from '../helpers/servers/nodes.ts';
import { until } from '../helpers/until.ts';

const CALLERS = 30;

it.skipIf(!(await hasPostgres()))(
  'a node whose pool is exhausted answers 503, and works again when it has connections',
  { timeout: 120_000 },
  async () => {
    const { url, close } = await freshPostgres();
    const flags = { storePoolSize: 2, storeStatementTimeout: '1s' };
    const world = await startNodes({ roles: ['all'], flags, url });
    try {
      const [node = expect.fail()] = world.nodes;
      const acme = await makeController(node);
      const id = await acme.created();
      const bodies = Array.from({ length: CALLERS }, () => requestBody());
      await world.database.transaction(async (sql) => {
        await sql.run('LOCK TABLE @requests IN ACCESS EXCLUSIVE MODE');
        const answers = await Promise.all(bodies.map((body) => acme.create(body)));
        for (const answer of answers) {
          expectError(answer, 503);
          expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        }
      });
      await until(
        async () => (await acme.status(id)).status === 200,
        () => 'it does not answer again',
      );
      const again = await Promise.all(bodies.map((body) => acme.create(body)));
      expect(again.map(({ status }) => status)).toEqual(Array(CALLERS).fill(201));
    } finally {
      await world.close();
      await close();
    }
  },
);
