// Settings that are reloaded on two nodes while requests come in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '../e2e/set-up/installation.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';
import { until } from '../helpers/until.ts';

const REQUESTS = 60;
const FIRST = 'cancellation_window: 0s\ntargets:\n  desk: { connector: manual, instructions: a }\n';
const SECOND = `${FIRST}  other: { connector: manual, instructions: b }\n`;

describe.skipIf(!(await hasPostgres()))('reloading two nodes', () => {
  let installation: TestNodes;
  let token = '';
  beforeAll(async () => {
    installation = await startNodes({ roles: ['all', 'all'], config: FIRST });
    token = (await installation.nodes[0]?.token()) ?? '';
  });
  afterAll(() => installation?.close());

  const configurations = async () =>
    (await installation.command('node', 'list')).map(
      (node: { configuration: string }) => node.configuration,
    );
  const areAlike = async () => new Set(await configurations()).size === 1;

  async function submit(): Promise<void> {
    const { nodes } = installation;
    await inParallel(Array.from({ length: REQUESTS }), 8, async (_, n) => {
      const body = requestBody({ subject_identities: [identity('email', `p${n}@example.com`)] });
      const { status } = await postJson(`${nodes[n % 2]?.url}/requests`, body, token);
      expect(status).toBe(201);
    });
  }

  it('shows where they differ, and every request is worked on by one plan or the other', async () => {
    const [one, two] = installation.nodes;
    expect(await areAlike()).toBe(true);
    const submitted = submit();
    installation.write(SECOND);
    expect(await one?.reload('system')).toEqual({ ok: true, changed: ['targets'] });
    await until(
      async () => !(await areAlike()),
      () => 'the nodes look alike',
    );
    expect(await two?.reload('system')).toMatchObject({ ok: true });
    await until(areAlike, () => 'the nodes differ');
    await submitted;
    const planned = () =>
      installation.database.all<{ targets: string; requests: number }>(
        `SELECT targets, count(*)::int AS requests FROM (
           SELECT request_no, string_agg(target, ',' ORDER BY target) AS targets
           FROM @tasks GROUP BY request_no) AS t GROUP BY targets ORDER BY targets`,
      );
    const count = async () => (await planned()).reduce((sum, { requests }) => sum + requests, 0);
    await until(
      async () => (await count()) === REQUESTS,
      () => 'not every request is planned',
    );
    for (const { targets } of await planned()) expect(['desk', 'desk,other']).toContain(targets);
  });

  it('leaves both as they were with a broken file', async () => {
    const before = await configurations();
    installation.write(`${SECOND}  third: { connector: postgres }\n`);
    for (const node of installation.nodes) {
      const reloaded = await node.reload('operator:olga');
      expect(reloaded).toMatchObject({
        ok: false,
        reasons: expect.arrayContaining([expect.stringContaining('third')]),
      });
    }
    installation.write(SECOND);
    expect(await configurations()).toEqual(before);
    const refused = await installation.command(
      'audit',
      'list',
      '--action',
      'config.reload_refused',
    );
    expect(refused).toHaveLength(2);
  });
});
