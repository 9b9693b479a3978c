// A database of their own that is empty at first, goes away and comes back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CuttingWay, startCuttingWay } from '../helpers/cutting-way.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { type DatabaseServer, startGuarded } from '../helpers/databases/guarded-server.ts';
import { type Answer, call, postJson } from '../helpers/http/api.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { postToken, tokenFields } from '../helpers/http/token-request.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';
import type { TestService } from '../helpers/servers/service.ts';
import { until } from '../helpers/until.ts';

const MANY = 20;
/** A token is asked about again after five seconds, and cannot be while the database is away. */
const RECHECK_MS = 5500;

const SECRETS = ['identity digests', 'overwrite hashes', 'proof signing key', 'row authentication'];

describe.skipIf(!(await hasPostgres()))('nodes and their database', () => {
  let server: DatabaseServer;
  let url: string;

  beforeAll(async () => {
    server = await startGuarded('durable-postgres');
    url = `${server.url}postgres`;
  }, 60_000);
  afterAll(() => server.close());

  it(`${MANY} that start at once on an empty one: it is set up once, and all are ready`, {
    timeout: 60_000,
  }, async () => {
    const roles = Array<'api'>(MANY).fill('api');
    const given = { roles, url, schema: 'many', flags: { storePoolSize: 2 } };
    const installation = await startNodes(given);
    try {
      const { nodes, database } = installation;
      const ready = await Promise.all(nodes.map((node) => call(`${node.url}/health/ready`)));
      expect(ready.map(({ status }) => status)).toEqual(Array(MANY).fill(200));
      const migrated = nodes.filter(({ installation: { store } }) => store.migrated.length > 0);
      expect(migrated).toHaveLength(1);
      expect(await database.all('SELECT 1 FROM @signing_keys')).toHaveLength(1);
      expect(await database.all('SELECT 1 FROM @master_keys')).toHaveLength(1);
      const secrets = await database.all<{ name: string }>(
        'SELECT name FROM @own_secrets ORDER BY name',
      );
      expect(secrets.map(({ name }) => name)).toEqual(SECRETS);
      const token = await nodes[0]?.token();
      const answers = await Promise.all(
        nodes.map((node) => call(`${node.url}/discovery`, token === undefined ? {} : { token })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(MANY).fill(200));
      expect(await installation.command('node', 'list')).toHaveLength(MANY);
    } finally {
      await installation.close();
    }
  });

  describe('that goes away', () => {
    let installation: TestNodes;
    let way: CuttingWay;
    let node: TestService;
    let token: string;

    beforeAll(async () => {
      way = await startCuttingWay(url);
      // Without prepared statements their texts are seen on the way.
      const given = { url: way.url, schema: 'away', flags: { storePrepare: false } };
      installation = await startNodes({ roles: ['all', 'api'], ...given });
      node = installation.nodes[1] as TestService;
      token = await node.token();
    }, 60_000);
    afterAll(async () => {
      await installation.close();
      await way.close();
    });

    const create = (body: unknown, at = node): Promise<Answer> =>
      postJson(`${at.url}/requests`, body, token);
    const status = (id: unknown, at = node): Promise<Answer> =>
      call(`${at.url}/requests/${id}`, { token });
    const cancel = (id: unknown): Promise<Answer> =>
      call(`${node.url}/requests/${id}`, { method: 'DELETE', token });
    const isReady = async (at: TestService) =>
      (await call(`${at.url}/health/ready`)).status === 200;

    it('answers 503 everywhere, says why it is not ready, and recovers by itself without a loss', {
      timeout: 60_000,
    }, async () => {
      const [kept, cancelled, refused] = [requestBody(), requestBody(), requestBody()];
      expect((await create(kept)).status).toBe(201);
      expect((await create(cancelled)).status).toBe(201);
      const credentials = await node.client('acme');

      await server.stop();
      await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
      const id = kept.subject_request_id;
      const answers: Record<string, Answer> = {
        create: await create(refused),
        status: await status(id),
        cancel: await cancel(cancelled.subject_request_id),
        discovery: await call(`${node.url}/discovery`, { token }),
        receipt: await call(`${node.url}/receipts/${id}`, { token }),
        token: await postToken(node.url, 'json', tokenFields(credentials)),
        wrong: await postToken(node.url, 'json', {
          ...tokenFields(credentials),
          client_secret: 'unwrite_guess',
        }),
      };
      for (const [what, answer] of Object.entries(answers)) {
        expect(expectError(answer, 503), what).not.toContain('ECONN');
        expect(answer.headers.get('retry-after'), what).toMatch(/^\d+$/);
      }
      const ready = await call(`${node.url}/health/ready`);
      expect(ready.status).toBe(503);
      expect(ready.body.reasons).toEqual(['the store cannot be read']);
      expect((await call(`${node.url}/health/live`)).status).toBe(200);

      await server.start();
      for (const one of installation.nodes) {
        await until(
          () => isReady(one),
          () => 'a node does not come back',
        );
      }
      expect((await status(id)).body.request_status).toBe('pending');
      expect((await cancel(cancelled.subject_request_id)).status).toBe(202);
      expectError(await status(refused.subject_request_id), 404);
      expect((await create(refused)).status).toBe(201);
      const [first] = installation.nodes;
      for (const body of [kept, cancelled, refused]) {
        expect((await status(body.subject_request_id, first)).status).toBe(200);
      }
    });

    it('says that it is not ready while the database does not answer, and recovers', async () => {
      way.fallSilent();
      const asked = Date.now();
      const ready = await call(`${node.url}/health/ready`);
      expect(ready.status).toBe(503);
      expect(ready.body.reasons).toEqual(['the store cannot be read']);
      expect(Date.now() - asked).toBeLessThan(5000);
      way.speakAgain();
      await until(
        () => isReady(node),
        () => 'the node does not come back',
      );
      expect((await create(requestBody())).status).toBe(201);
    });

    it('loses the answer to a create that was stored: sent again, it is a conflict, and stored once', async () => {
      const body = requestBody();
      way.cutAnswerOf('INSERT INTO "away".requests');
      const before = way.cuts();
      const answer = await create(body);
      expect(way.cuts()).toBe(before + 1);
      expectError(answer, 503);
      expectError(await create(body), 409);
      const { database } = installation;
      const rows = await database.all<{ requestNo: number }>(
        'SELECT request_no AS "requestNo" FROM @requests WHERE request_uuid = $1::uuid',
        [body.subject_request_id],
      );
      expect(rows).toHaveLength(1);
      const audited = await installation.command(
        'audit',
        'list',
        '--request',
        String(body.subject_request_id),
      );
      expect(audited).toHaveLength(1);
    });

    it('loses the answer to a cancellation that is stored: sent again, it is refused', async () => {
      const body = requestBody();
      const id = body.subject_request_id;
      expect((await create(body)).status).toBe(201);
      way.cutAnswerOf(`SET status = 'cancelled'`, 'COMMIT');
      const before = way.cuts();
      const answer = await cancel(id);
      expect(way.cuts()).toBe(before + 1);
      expectError(answer, 503);
      expect((await status(id)).body.request_status).toBe('cancelled');
      expectError(await cancel(id), 400);
      const audited = await installation.command('audit', 'list', '--request', String(id));
      expect(audited).toHaveLength(2);
    });
  });
});
