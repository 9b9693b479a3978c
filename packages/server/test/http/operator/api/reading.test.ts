// What operators see: every route that reads, as its document says, on both stores.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../helpers/http/api.ts';
import { expectError } from '../../../helpers/http/error-shape.ts';
import { storesInMatrix } from '../../../helpers/stores/test-store.ts';
import { misfits } from './fits-schema.ts';
import { JANE, taskAt, useOperatorApi } from './world.ts';

for (const kind of await storesInMatrix('http/operator/api/reading')) {
  describe(`reading the operator API on ${kind}`, () => {
    const world = useOperatorApi(kind);
    const { as, pathOf } = world;
    // biome-ignore lint/suspicious/noExplicitAny: it is looked into freely
    let document: any;
    // biome-ignore lint/suspicious/noExplicitAny: it is looked into freely
    let page: any;
    const answers: string[] = [];

    beforeAll(async () => {
      world.changeShop(`INSERT INTO users VALUES (1, '${JANE}'), (2, 'other@example.com');
        INSERT INTO orders VALUES (1, 1), (2, 1), (3, 2); INSERT INTO invoices VALUES (1, 1)`);
      document = (await call(`${world.url()}/operator/openapi.json`)).body;
      page = await world.held();
      await world.request('waiting@example.com');
    });
    afterAll(() => {
      for (const text of answers) expect(text).not.toMatch(/jane\.doe|waiting@/i);
    });

    /** As a viewer; what is answered fits the schema of the route. */
    // biome-ignore lint/suspicious/noExplicitAny: it is looked into freely
    async function read(route: string, path = route): Promise<any> {
      const answer = await as('viewer').get(path);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const { schema } =
        document.paths[`/operator/v1${route}`].get.responses['200'].content['application/json'];
      expect(misfits(answer.body, schema)).toEqual([]);
      answers.push(answer.text);
      return answer.body;
    }
    const ofRequest = '/requests/{controller_id}/{subject_request_id}';

    it('the overview groups what needs a person, and has the nearest deadline', async () => {
      const overview = await read('/overview');
      expect(overview.attention.groups).toMatchObject([
        { what: 'confirm', count: 1, targets: ['register'], reasons: [{ reason: 'manual' }] },
      ]);
      expect(overview.deadlines.nearest[0].days_left).toBeGreaterThan(29);
      expect(overview.deadlines.days).toMatchObject([{ days_left: 29, count: 2 }]);
      expect(overview.requests).toMatchObject({ pending: 1, in_progress: 1, completed: 0 });
      expect(overview.targets).toEqual({
        total: 2,
        up: 1,
        down: 0,
        refused: 0,
        paused: 0,
        manual: 1,
      });
      expect(overview.first_steps).toBeNull();
      const attention = await read('/attention', '/attention?what=confirm');
      expect(attention.items).toMatchObject([{ target: 'register', reason: 'manual' }]);
      expect((await read('/attention', '/attention?what=release')).items).toEqual([]);
    });

    it("a request's page has its timeline, its evidence in words, and masked identities", async () => {
      const shown = await read(ofRequest, pathOf(page.subject_request_id));
      const done = shown.timeline.map(({ step, done: isDone }: Record<string, unknown>) => [
        step,
        isDone,
      ]);
      expect(done).toEqual([
        ['received', true],
        ['started', true],
        ['target', true],
        ['target', false],
        ['completed', false],
        ['receipt', false],
      ]);
      expect(taskAt(shown, 'shop').words).toEqual([
        '2 rows of orders deleted',
        '1 row of users deleted',
        '1 row of invoices kept: tax law',
        'Searched again: nothing left',
      ]);
      expect(taskAt(shown, 'register')).toMatchObject({
        state: 'held',
        actions: ['confirm', 'retain'],
        instructions: 'Shred the card',
        what_to_do: expect.stringContaining('confirm'),
      });
      expect(shown.identity_list).toEqual([
        { identity: 1, identity_type: 'email', masked: '•••', source: 'request' },
      ]);
      const byOperator = await as('operator').get(pathOf(page.subject_request_id));
      expect(byOperator.body.identity_list[0].masked).toBe('j•••@•••.com');
      expect(shown.actions).toEqual(['extend', 'hold', 'retry', 'identities', 'preview']);
      const audit = await read(`${ofRequest}/audit`, `${pathOf(page.subject_request_id)}/audit`);
      expect(audit.items.map((row: { action: string }) => row.action)).toContain('request.started');
      expect(audit.items.at(-1)).toMatchObject({
        audit_no: null,
        time: page.received_time,
        actor: page.created_by,
        action: 'request.created',
      });
      const filtered = await read(
        '/audit',
        `/audit?request=${page.subject_request_id}&action=request.started`,
      );
      expect(filtered.items).toEqual(
        audit.items.filter(({ action }: { action: string }) => action === 'request.started'),
      );
      const first = await read('/audit', `/audit?request=${page.subject_request_id}&limit=1`);
      const second = await read(
        '/audit',
        `/audit?request=${page.subject_request_id}&limit=1&after=${first.next}`,
      );
      expect([...first.items, ...second.items]).toEqual(audit.items.slice(0, 2));
    });

    it('an unchanged answer is 304, and a change has another etag', async () => {
      const path = pathOf(page.subject_request_id);
      const first = await as('viewer').get(path);
      const etag = String(first.headers.get('etag'));
      expect(etag).toBe(first.body.etag);
      expect((await as('viewer').get(path, { 'if-none-match': etag })).status).toBe(304);
      const other = await as('viewer').get(path, { 'if-none-match': '"another"' });
      expect(other.status).toBe(200);
    });

    it('requests are listed by status, controller, day and id', async () => {
      const all = await read('/requests');
      expect(all.items).toHaveLength(2);
      expect(all.next).toBeNull();
      const today = new Date().toISOString().slice(0, 10);
      for (const [query, count] of [
        ['status=pending', 1],
        ['status=in_progress', 1],
        ['status=completed', 0],
        ['status=cancelled', 0],
        ['controller=acme', 2],
        ['controller=globex', 0],
        ['controller=acme&status=pending', 1],
        ['regulation=ccpa', 0],
        [`received_from=${today}`, 2],
        [`received_to=${today}`, 2],
        ['received_to=2020-01-01', 0],
        [`id=${page.subject_request_id}`, 1],
      ] as const) {
        const found = await read('/requests', `/requests?${query}`);
        expect(found.items, query).toHaveLength(count);
      }
      const [line] = (await read('/requests', '/requests?status=in_progress')).items;
      expect(line.open_tasks).toEqual({ held: 1, failed: 0, waiting: 0, running: 0 });
    });

    it('tasks are listed by state, reason, target and controller', async () => {
      const [task] = (await read('/tasks', '/tasks?state=held&reason=manual')).items;
      expect(task).toMatchObject({ target: 'register', etag: expect.any(String) });
      expect((await read('/tasks', '/tasks?target=shop')).items).toEqual([]);
      expect((await read('/tasks', '/tasks?controller=globex')).items).toEqual([]);
      expect(await read('/tasks/{task}', `/tasks/${task.task}`)).toEqual(task);
    });

    it('targets have their state, backlog and what they did today', async () => {
      const { items } = await read('/targets');
      expect(items).toMatchObject([
        { name: 'shop', state: 'up', today: { rows: 3, tasks: 1 } },
        { name: 'register', state: 'manual', backlog: { held: 1 } },
      ]);
      const shop = await read('/targets/{target}', '/targets/shop');
      expect(shop.throughput.at(-1)).toMatchObject({ tasks: 1, rows: 3 });
      expect(shop.limits).toMatchObject({ when_unmatched: 'hold' });
      expect(await read('/pause')).toEqual({ paused: [] });
    });

    it('controllers, alarms, audit, settings, keys, nodes and the rest are as the document says', async () => {
      expect((await read('/controllers')).items).toMatchObject([
        { controller_id: 'acme', clients: 1 },
        { controller_id: 'globex', name: 'Globex', clients: 0 },
      ]);
      const acme = await read('/controllers/{controller_id}', '/controllers/acme');
      expect(acme.clients[0].secrets).toHaveLength(1);
      expect(acme.usage.today.started).toBe(1);
      await read('/alarms');
      expect(await read('/events/webhook')).toMatchObject({ is_set: false, failures: 0 });
      const rows = (await read('/audit', '/audit?by=operators')).items;
      expect(rows.length).toBeGreaterThan(2);
      for (const row of rows) expect(row.actor).toMatch(/^operator:/);
      expect((await read('/audit/actions')).items).toContain('task.retained');
      await read('/audit/key');
      const { settings } = await read('/settings');
      expect(settings.find(({ name }: { name: string }) => name === 'data_dir').source).not.toBe(
        'default',
      );
      await read('/system');
      await read('/nodes');
      expect((await read('/keys')).items).toMatchObject([{ state: 'current' }]);
      expect((await read('/restore')).went_back).toBe(false);
      const { days } = await read('/statistics', '/statistics?days=3');
      expect(days).toHaveLength(3);
      expect(days[2].started).toBe(1);
    });

    it('an id is looked for among what the other filters leave', async () => {
      const id = page.subject_request_id;
      const found = async (filter: string) =>
        (await as('viewer').get(`/requests?id=${id}${filter}`)).body.items.length;
      expect(await found('&status=in_progress&regulation=gdpr&received_from=2020-01-01')).toBe(1);
      for (const filter of [
        '&status=completed',
        '&regulation=ccpa',
        '&received_from=2200-01-01',
        '&received_to=2020-01-01',
      ]) {
        expect([filter, await found(filter)]).toEqual([filter, 0]);
      }
    });

    it('an unknown path is answered with the place where the calls are listed', async () => {
      expect((await as('viewer').get('/nothing')).text).toContain(' /operator/openapi.json lists');
      expect((await call(`${world.url()}/nothing`)).text).toContain(' /openapi.json lists');
    });

    it('an unknown item is answered 404, and a malformed id 400', async () => {
      for (const path of [
        '/requests/acme/none',
        '/requests/nobody/none',
        '/tasks/99999',
        '/tasks/x',
        '/targets/none',
        '/controllers/none',
        '/requests?controller=none',
        '/nothing',
      ]) {
        expectError(await as('viewer').get(path), 404);
      }
      for (const path of [
        '/requests?limit=0',
        '/requests?limit=201',
        '/requests?after=x',
        '/requests?status=x',
        '/requests?received_from=yesterday',
        '/requests?id=x',
        '/requests?colour=red',
        '/requests?received_from=2026-02-31',
        '/audit?since=2026-02-31T00:00:00Z',
      ]) {
        expectError(await as('viewer').get(path), 400);
      }
    });
  });
}
