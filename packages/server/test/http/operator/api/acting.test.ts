// What operators do: every action on both stores, who may, and what happens when two decide at once.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../helpers/http/api.ts';
import { expectError } from '../../../helpers/http/error-shape.ts';
import { identity } from '../../../helpers/http/request-body.ts';
import { storesInMatrix } from '../../../helpers/stores/test-store.ts';
import { until } from '../../../helpers/until.ts';
import { unzip } from '../../../helpers/unzip.ts';
import { misfits } from './fits-schema.ts';
import { JANE, taskAt, useOperatorApi } from './world.ts';

for (const kind of await storesInMatrix('http/operator/api/acting')) {
  describe(`acting by the operator API on ${kind}`, () => {
    const world = useOperatorApi(kind);
    const { as, pathOf, json } = world;
    // biome-ignore lint/suspicious/noExplicitAny: it is looked into freely
    let document: any;
    beforeAll(async () => {
      document = (await call(`${world.url()}/operator/openapi.json`)).body;
    });

    // biome-ignore lint/suspicious/noExplicitAny: it is looked into freely
    function expectFits(body: unknown, route: string, method: string, status = 200): any {
      const { responses } = document.paths[`/operator/v1${route}`][method];
      const { schema } = responses[String(status)].content['application/json'];
      expect(misfits(body, schema)).toEqual([]);
      return body;
    }

    it('a legal hold is placed, shown on its request, and lifted', async () => {
      const id = await world.request();
      const on = { controller: 'acme', subject_request_id: id };
      const placed = expectFits(
        (await as('operator').post('/legal-holds', { ...on, reason: 'a claim' })).body,
        '/legal-holds',
        'post',
        201,
      );
      expect(placed).toMatchObject({ subject_request_id: id, requests: [id], too_late: [] });
      const shown = (await as('viewer').get(pathOf(id))).body;
      expect(shown.legal_holds).toMatchObject([{ hold: placed.hold, reason: 'a claim' }]);
      const listed = (await as('viewer').get('/legal-holds?controller=acme')).body;
      expectFits(listed, '/legal-holds', 'get');
      expect(listed.items.map(({ hold }: { hold: number }) => hold)).toEqual([placed.hold]);
      const lift = (reason: string) =>
        as('operator').post(`/legal-holds/${placed.hold}/lift`, { reason });
      expectFits((await lift('settled')).body, '/legal-holds/{hold}/lift', 'post');
      expect((await lift('settled')).status).toBe(200);
      expectError(await lift('for another reason'), 409);
      expectError(await as('operator').post('/legal-holds/4711/lift', { reason: 'x' }), 404);
      expect((await as('viewer').get(pathOf(id))).body.legal_holds).toEqual([]);
      const { reason, ...nobody } = { ...on, reason: 'a claim', subject_request_id: undefined };
      expectError(await as('operator').post('/legal-holds', { ...nobody, reason }), 400);
      const past = { ...on, reason, until: '2020-01-01' };
      expectError(await as('operator').post('/legal-holds', past), 400);
    });

    it('a viewer cannot act, an operator cannot do what is for admins, and the answer says so', async () => {
      const id = await world.request();
      const actions = Object.entries(document.paths as Record<string, object>).flatMap(
        ([path, methods]) =>
          Object.keys(methods)
            .filter((method) => method !== 'get')
            .map((method) => ({ path, method })),
      );
      const own = actions.filter(({ path }) => !/sign-(in|out)|\/session|\/(me|seen)$/.test(path));
      expect(own.length).toBeGreaterThan(25);
      for (const { path, method } of own) {
        const filled = path
          .replace('/operator/v1', '')
          .replace('{controller_id}', 'acme')
          .replace('{subject_request_id}', id)
          .replace('{task}', '1')
          .replaceAll(/\{\w+\}/g, 'x');
        const { token } = as('viewer');
        const answer = await call(`${world.url()}/operator/v1${filled}`, {
          method: method.toUpperCase(),
          token,
          body: '{}',
          headers: { 'content-type': 'application/json' },
        });
        expectError(answer, 403);
      }
      expectError(await as('operator').post('/keys/rotate'), 403);
      expectError(await as('operator').post('/controllers', { controller_id: 'x' }), 403);
      expect((await json('request', 'show', id)).request_status).toBe('pending');
    });

    it('a hold is confirmed once; who comes second gets 409 and sees what happened', async () => {
      const page = await world.held();
      const task = taskAt(page, 'register');
      const path = `/tasks/${task.task}`;
      const note = { note: 'Shredded the card' };
      const before = { 'if-match': task.etag };
      const done = await as('operator').post(`${path}/confirm`, note, before);
      expect(done.status, done.text).toBe(200);
      expectFits(done.body, '/tasks/{task}/confirm', 'post');
      expect(done.body.words[0]).toBe(
        'Erased by hand, confirmed by my operator: Shredded the card',
      );

      // Sent again, as after a lost answer: the same, and nothing more is written.
      const again = await as('operator').post(`${path}/confirm`, note, before);
      expect(again.status).toBe(200);
      const other = await as('admin').post(
        `${path}/retain`,
        { legal_basis: 'tax law', reason: 'kept' },
        before,
      );
      expect(other.status).toBe(409);
      expect(other.body.happened).toMatchObject({ actor: 'operator:client:my operator' });
      expect(other.body.happened.words).toMatch(/^my operator confirmed it at 20/);
      expect(other.body.error.code).toBe(409);
      const rows = await json('audit', 'list', '--action', 'task.confirmed');
      expect(
        rows.filter((row: { actor: string }) => row.actor === 'operator:client:my operator'),
      ).toHaveLength(1);

      const completed = await world.pageWhen(
        page.subject_request_id,
        (it) => it.request_status === 'completed' && it.receipts.length === 1,
      );
      expect(completed).toMatchObject({
        outcome: expect.any(String),
        actions: expect.arrayContaining(['receipt']),
      });
      const receipt = await as('viewer').get(`${pathOf(page.subject_request_id)}/receipts/1`);
      expect(receipt.body).toMatchObject({ document: 'unwrite receipt', receipt_no: 1 });
      expect(receipt.headers.get('content-disposition')).toContain('attachment');
      const verdict = await as('operator').post('/receipts/verify', { receipt: receipt.text });
      expect(verdict.status, verdict.text).toBe(200);
      expectFits(verdict.body, '/receipts/verify', 'post');
      expect(verdict.body).toMatchObject({
        ok: true,
        in_audit_log: true,
        consistent_with: [],
        subject_request_id: page.subject_request_id,
      });
      const head = await as('viewer').get('/audit/head');
      const edited = receipt.text.replace('"acme"', '"globex"');
      for (const [body, words] of [
        [{ receipt: edited }, /^The receipt does not verify: its signature/],
        [{ receipt: receipt.text, heads: ['{}'] }, /^The receipt does not match the audit log/],
        [{ receipt: receipt.text, heads: [head.text, 'no JSON'] }, /^Document 2 holds no JSON/],
      ] as const) {
        const refused = await as('operator').post('/receipts/verify', body);
        expectFits(refused.body, '/receipts/verify', 'post');
        expect(refused.body).toMatchObject({ ok: false, subject_request_id: null });
        expect(refused.body.words.join(' ')).toMatch(words);
      }
      const html = await as('viewer').get(
        `${pathOf(page.subject_request_id)}/receipts/1?format=html`,
      );
      expect(html.text).toContain('<html');
      expectError(await as('viewer').get(`${pathOf(page.subject_request_id)}/receipts/2`), 404);
    });

    it('a decision by an old state is refused, and one without a state is taken', async () => {
      const page = await world.held();
      const task = taskAt(page, 'register');
      const why = { legal_basis: 'Art. 17(3)(b)', reason: 'tax law' };
      const old = await as('operator').post(`/tasks/${task.task}/retain`, why, {
        'if-match': '"old"',
      });
      expect(old.status).toBe(409);
      const named = await as('operator').post(`/tasks/${task.task}/retain`, {
        ...why,
        reason: `for ${JANE}`,
      });
      expectError(named, 400);
      expect(named.text).not.toContain(JANE);
      const kept = await as('operator').post(`/tasks/${task.task}/retain`, why);
      expect(kept.status).toBe(200);
      expect(kept.body.words).toEqual(['Kept by my operator: Art. 17(3)(b); tax law']);
      expectError(await as('operator').post('/tasks/99999/release'), 404);
    });

    it('a request is started, identified and retried; what its state does not allow is 409', async () => {
      const id = await world.request('first@example.com');
      const { body } = await as('operator').get(pathOf(id));
      const stale = await as('operator').post(`${pathOf(id)}/start`, {}, { 'if-match': '"stale"' });
      expect(stale.status).toBe(409);
      const added = await as('operator').post(
        `${pathOf(id)}/identities`,
        { identities: [identity('email', 'second@example.com')] },
        { 'if-match': body.etag },
      );
      expect(added.status, added.text).toBe(200);
      expect(added.body.identity_list).toHaveLength(2);
      expect(added.text).not.toMatch(/first@|second@/);
      const started = await as('operator').post(`${pathOf(id)}/start`, undefined, {
        'if-match': added.body.etag,
      });
      expectFits(started.body, '/requests/{controller_id}/{subject_request_id}/start', 'post');
      await world.pageWhen(id, (page) => page.request_status === 'in_progress');
      const retried = await as('operator').post(`${pathOf(id)}/retry`);
      expect(retried.status, retried.text).toBe(200);
      const pending = await world.request('third@example.com');
      expect((await as('operator').post(`${pathOf(pending)}/retry`)).status).toBe(409);
      expectError(
        await as('operator').post(`${pathOf(pending)}/identities`, { identities: [] }),
        400,
      );
    });

    it('a person is previewed and searched for, each in the audit log', async () => {
      world.changeShop(`DELETE FROM users; INSERT INTO users VALUES (7, 'seven@example.com');
        INSERT INTO orders VALUES (70, 7)`);
      const person = { identities: [identity('email', 'seven@example.com')] };
      const preview = await as('operator').post('/preview', { controller: 'acme', ...person });
      expect(preview.status, preview.text).toBe(200);
      expectFits(preview.body, '/preview', 'post');
      expect(preview.body.targets[0]).toMatchObject({
        outcome: 'would_erase',
        rows: { users: 1, orders: 1 },
      });
      const page = await world.held('seven@example.com');
      const id = page.subject_request_id;
      const ofRequest = await as('operator').post(`${pathOf(id)}/preview`);
      expect(ofRequest.status, ofRequest.text).toBe(200);

      const found = await as('operator').post('/search', person);
      expectFits(found.body, '/search', 'post');
      expect(
        found.body.items.map((it: { subject_request_id: string }) => it.subject_request_id),
      ).toEqual([id]);
      const none = await as('operator').post('/search', {
        identities: [identity('email', 'none@example.com')],
      });
      expect(none.body).toEqual({ items: [], capped: false });
      const looks = await as('viewer').get('/audit?action=seen.asked&limit=2');
      const whose = looks.body.items.map((it: { controller_id: string }) => it.controller_id);
      expect(whose.sort()).toEqual(['acme', 'globex']);

      const { body } = await as('viewer').get('/audit?action=seen.asked');
      expect(body.items.length).toBeGreaterThan(0);
      expect(world.output()).not.toContain('seven@');
    });

    it('a script asks about many people of a controller before it brings them in', async () => {
      const { subject_request_id: id } = await world.held('asked@example.com');
      const named = (...emails: string[]) => ({
        identities: emails.map((email) => identity('email', email)),
      });
      const people = [
        named('stranger@example.com'),
        named('other@example.com', 'Asked@Example.com'),
        named('asked@example.com'),
      ];
      const answer = await as('viewer').post('/seen', { controller: 'acme', people });
      expect(answer.status, answer.text).toBe(200);
      expectFits(answer.body, '/seen', 'post');
      const open = { erased: false, outcome: 'still open', requests: [{ subject_request_id: id }] };
      expect(answer.body.people).toMatchObject([
        { erased: false, outcome: null, requests: [] },
        open,
        open,
      ]);
      const elsewhere = await as('viewer').post('/seen', { controller: 'globex', people });
      expect(elsewhere.body.people.map((it: { outcome: unknown }) => it.outcome)).toEqual([
        null,
        null,
        null,
      ]);
      const { body } = await as('viewer').get('/audit?action=seen.asked&limit=2');
      expect(body.items).toMatchObject([
        { controller_id: 'globex', actor: 'operator:client:my viewer', detail: { people: 3 } },
        { controller_id: 'acme', detail: { people: 3 } },
      ]);
      expect(world.output()).not.toContain('asked@');

      const asPerson = await (await world.person('admin')).post('/seen', {
        controller: 'acme',
        people,
      });
      expect(asPerson.status).toBe(403);
      const wrong = [
        { controller: 'acme', people: Array.from({ length: 1001 }, () => people[0]) },
        { controller: 'acme', people: [{ identities: [] }] },
        { controller: 'acme', people: [named(' blank@example.com')] },
        { people },
      ];
      for (const body of wrong) {
        expect((await as('viewer').post('/seen', body)).status, JSON.stringify(body)).toBe(400);
      }
      expect((await as('viewer').post('/seen', { controller: 'nobody', people })).status).toBe(404);
    });

    it('a script that asks too often is told when to ask again', async () => {
      const asked = {
        controller: 'globex',
        people: [{ identities: [identity('email', 'a@b.example')] }],
      };
      const answers = [];
      for (let calls = 0; calls < 70; calls++)
        answers.push(await as('viewer').post('/seen', asked));
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    it('an operator sees an identity while a manual task is open, for a reason that is in the audit log', async () => {
      const page = await world.held('manual@example.com');
      const id = page.subject_request_id;
      const reveal = `${pathOf(id)}/reveal`;
      const operator = await world.person('operator');
      const asked = { identity: 1, reason: 'the person asked by telephone' };
      expect((await operator.call(pathOf(id))).body.actions).toContain('reveal');
      const shown = await operator.post(reveal, asked);
      expect(shown.body).toEqual(identity('email', 'manual@example.com'));
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect((await operator.post(reveal, { ...asked, identity: 2 })).status).toBe(404);
      expect((await operator.post(reveal, { ...asked, reason: '' })).status).toBe(400);
      const naming = { ...asked, reason: 'manual@example.com asked' };
      expect((await operator.post(reveal, naming)).status).toBe(400);

      expect((await (await world.person('viewer')).post(reveal, asked)).status).toBe(403);
      const script = await as('admin').post(reveal, asked);
      expect(expectError(script, 409)).toContain('not to scripts');
      expect((await as('admin').get(pathOf(id))).body.actions).not.toContain('reveal');

      await as('operator').post(`/tasks/${taskAt(page, 'register').task}/confirm`, {
        note: 'done',
      });
      const late = await operator.post(reveal, asked);
      expect(late.status).toBe(409);
      expect(late.text).toContain('has no open manual task');
      expect((await operator.call(pathOf(id))).body.actions).not.toContain('reveal');
      expect((await (await world.person('admin')).post(reveal, asked)).status).toBe(200);

      const audit = await as('viewer').get(`${pathOf(id)}/audit`);
      const seen = audit.body.items.filter(
        (row: { action: string }) => row.action === 'identity.revealed',
      );
      expect(seen).toMatchObject([
        { actor: 'operator:admin', detail: asked },
        { actor: 'operator:operator', detail: asked },
      ]);
      expect(audit.text).not.toContain('manual@');
      expect(world.output()).not.toContain('manual@');
    });

    it('a request is entered for a controller, extended and cancelled', async () => {
      const one = '/requests/{controller_id}/{subject_request_id}';
      const body = {
        controller: 'acme',
        regulation: 'ccpa',
        identities: [identity('email', 'letter@example.com')],
      };
      const entered = await as('operator').post('/requests', body);
      expect(entered.status, entered.text).toBe(201);
      expectFits(entered.body, '/requests', 'post', 201);
      const { subject_request_id: id, latest_extension: until } = entered.body;
      expect(entered.body.created_by).toBe('operator:client:my operator');
      expect(expectError(await as('operator').post(`${pathOf(id)}/start`), 409)).toContain(
        'yourself',
      );

      const why = { until: until.slice(0, 10), reason: 'many systems' };
      const ofBefore = { 'if-match': entered.body.etag };
      const extended = await as('operator').post(`${pathOf(id)}/extend`, why, ofBefore);
      expectFits(extended.body, `${one}/extend`, 'post');
      expect(extended.body.statutory_deadline).toBe(until);
      expect(extended.body.expected_completion_time).toBe(entered.body.expected_completion_time);
      expect((await as('operator').post(`${pathOf(id)}/extend`, why, ofBefore)).status).toBe(200);
      const other = { ...why, reason: 'another reason' };
      expect((await as('operator').post(`${pathOf(id)}/extend`, other, ofBefore)).status).toBe(409);
      expectError(
        await as('operator').post(`${pathOf(id)}/extend`, { ...why, until: '2999-01-01' }),
        400,
      );

      const reason = { reason: 'withdrawn' };
      const cancelled = await as('operator').post(`${pathOf(id)}/cancel`, reason);
      expectFits(cancelled.body, `${one}/cancel`, 'post');
      expect(cancelled.body).toMatchObject({ request_status: 'cancelled', identity_list: [] });
      expect((await as('operator').post(`${pathOf(id)}/cancel`, reason)).status).toBe(200);
      const second = await as('operator').post(`${pathOf(id)}/cancel`, { reason: 'else' });
      expect(second.body.happened).toMatchObject({ action: 'request.cancelled' });
    });

    it('erasing is paused and resumed, for all and for one target', async () => {
      for (let twice = 0; twice < 2; twice++) {
        const paused = await as('operator').post('/pause');
        expect(paused.body.paused).toMatchObject([
          { target: null, paused_by: 'operator:client:my operator' },
        ]);
      }
      expect((await as('viewer').get('/overview')).body.targets.paused).toBe(2);
      expect((await as('operator').post('/resume')).body).toEqual({ paused: [] });
      const one = await as('operator').post('/targets/shop/pause');
      expectFits(one.body, '/targets/{target}/pause', 'post');
      expect(one.body.state).toBe('paused');
      expect((await as('operator').post('/targets/shop/resume')).body.state).toBe('up');
      expectError(await as('operator').post('/targets/none/pause'), 404);
      expect((await json('audit', 'list', '--action', 'erasing.paused')).length).toBe(2);
    });

    it('a plan is suggested for a database, without its address, and for nothing else', async () => {
      const suggested = await as('operator').post('/targets/shop/suggest');
      expect(suggested.status, suggested.text).toBe(200);
      const { plan } = expectFits(suggested.body, '/targets/{target}/suggest', 'post');
      expect(plan).toContain('table: users');
      expect(plan).not.toContain('shop.db');
      expect(expectError(await as('operator').post('/targets/register/suggest'), 409)).toContain(
        'is not a database',
      );
      expectError(await as('operator').post('/targets/none/suggest'), 404);
    });

    it('a target is checked, with its plan as a graph', async () => {
      const checked = await as('operator').post('/targets/shop/check');
      expect(checked.status, checked.text).toBe(200);
      const { plan, ok } = expectFits(checked.body, '/targets/{target}/check', 'post');
      expect(ok).toBe(true);
      expect(
        plan.nodes.map(({ table, effect }: Record<string, string>) => [table, effect]),
      ).toEqual(
        expect.arrayContaining([
          ['users', 'deleted'],
          ['orders', 'deleted'],
          ['invoices', 'retained'],
        ]),
      );
      expect(plan.edges).toContainEqual({
        from: 'users',
        to: 'orders',
        columns: { user_id: 'id' },
        kind: 'reference',
      });
      const { body } = await as('viewer').get('/targets/shop');
      expect(body.last_check.checked_time).toBe(checked.body.checked_time);
      const again = await as('admin').post('/erase-again', {
        target: 'shop',
        since: '2026-01-01',
        dry_run: true,
      });
      expect(again.body).toMatchObject({ target: 'shop', dry_run: true });
      const size = await as('viewer').get('/targets/shop/release-all?reason=over_cap');
      expectFits(size.body, '/targets/{target}/release-all', 'get');
      expect(size.body).toEqual({ tasks: 0, people: 0, rows: 0, uncounted: 0, groups: [] });
      const expected = { tasks: 1, rows: 4 };
      const changed = await as('operator').post('/targets/shop/release-all', { expected });
      expect(expectError(changed, 409)).toMatch(/nothing was released: it would be 0 tasks/i);
      const released = await as('operator').post('/targets/shop/release-all', {});
      expect(released.body).toEqual({ released: [], left: [] });
    });

    it('controllers and clients are made, changed and revoked; a secret is shown once', async () => {
      const given = { controller_id: 'initech', name: 'Initech' };
      const made = await as('admin').post('/controllers', given);
      expect(made.status, made.text).toBe(201);
      expectFits(made.body, '/controllers', 'post', 201);
      expect((await as('admin').post('/controllers', given)).status).toBe(200);
      const other = await as('admin').post('/controllers', { ...given, name: 'Other' });
      expect(other.status).toBe(409);
      expectError(await as('admin').post('/controllers', { controller_id: 'No Slug' }), 400);
      const changed = await as('admin').patch(
        '/controllers/initech',
        { name: 'Initech Ltd' },
        { 'if-match': made.body.etag },
      );
      expect(changed.body.name).toBe('Initech Ltd');
      const late = await as('admin').patch(
        '/controllers/initech',
        { name: 'x' },
        { 'if-match': made.body.etag },
      );
      expect(late.status).toBe(409);

      const client = await as('admin').post('/controllers/initech/clients', { name: 'crm' });
      expectFits(client.body, '/controllers/{controller_id}/clients', 'post', 201);
      const { client_id: clientId, client_secret: secret } = client.body;
      const second = await as('admin').post(`/clients/${clientId}/secrets`);
      expect(second.status).toBe(201);
      const shown = await as('viewer').get('/controllers/initech');
      expect(shown.body.clients[0].secrets).toHaveLength(2);
      expect(shown.text).not.toContain(secret);
      const token = await as('admin').post(`/clients/${clientId}/token`);
      const used = await call(`${world.url()}/discovery`, { token: token.body.access_token });
      expect(used.status).toBe(200);
      for (let twice = 0; twice < 2; twice++) {
        const path = `/clients/${clientId}/secrets/${second.body.secret_id}/revoke`;
        expect((await as('admin').post(path)).status).toBe(200);
        const revoked = await as('admin').post(`/clients/${clientId}/revoke`);
        expect(revoked.body.clients[0].revoked_time).not.toBeNull();
      }
      expect((await as('admin').post(`/clients/${clientId}/secrets`)).status).toBe(409);
      expectError(await as('admin').post('/clients/none/revoke'), 404);
      const rows = await json('audit', 'list', '--controller', 'initech');
      for (const row of rows) expect(row.actor).toBe('operator:client:my admin');
    });

    it('the audit log is verified, exported and its key replaced', async () => {
      const verdict = await as('operator').post('/audit/verify', {});
      expect(verdict.status, verdict.text).toBe(200);
      expectFits(verdict.body, '/audit/verify', 'post');
      expect(verdict.body).toMatchObject({ ok: true, problems: [] });
      expect(verdict.body.words[0]).toContain('unchanged');
      const wrong = { heads: [{ head_no: 1, hash: '0'.repeat(64) }] };
      expect((await as('operator').post('/audit/verify', wrong)).body.ok).toBe(false);
      const exported = await as('operator').get('/audit/export');
      expect(exported.headers.get('content-type')).toContain('application/x-ndjson');
      expect(exported.text.trimEnd().split('\n').at(-1)).toContain('"footer"');
      const key = (await as('viewer').get('/audit/key')).body.key_id;
      const rotated = await as('admin').post('/audit/key/rotate');
      expectFits(rotated.body, '/audit/key/rotate', 'post');
      expect(rotated.body.key_id).not.toBe(key);
      expectError(await as('admin').post('/audit/accept', { reason: 'nothing' }), 409);
      expect((await as('viewer').get('/audit/head')).status).toBe(200);
    });

    it('the evidence of a controller comes as one archive', async () => {
      const path = '/controllers/acme/export';
      expectError(await as('viewer').get(path), 403);
      expectError(await as('operator').get('/controllers/nobody/export'), 404);
      expectError(await as('operator').get(`${path}?from=yesterday`), 400);
      const { token } = as('operator');
      const answer = await fetch(`${world.url()}/operator/v1${path}?full=true`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.headers.get('content-type')).toBe('application/zip');
      const files = unzip(Buffer.from(await answer.arrayBuffer()));
      expect([...files.keys()]).toEqual(
        expect.arrayContaining(['export.json', 'index.html', 'requests.csv', 'audit.csv']),
      );
      const [row] = (await as('viewer').get('/audit?action=evidence.exported')).body.items;
      expect(row).toMatchObject({
        actor: 'operator:client:my operator',
        controller_id: 'acme',
        detail: { full: true },
      });
    });

    it('keys are rotated; destroying one stays at the machine', async () => {
      const before = (await as('viewer').get('/keys')).body.items[0].master_key;
      const rotated = await as('admin').post('/keys/rotate');
      expect(rotated.status, rotated.text).toBe(200);
      expectFits(rotated.body, '/keys/rotate', 'post');
      expect(rotated.body.master_key).not.toBe(before);
      const signing = await as('admin').post('/signing-keys/rotate', { revoke: false });
      expect(signing.body.older_keys).toBe('retired');
      expect(Object.keys(document.paths).join()).not.toMatch(/destroy|migrate|copy/);
      expect((await as('admin').post('/alarms/test')).status).toBe(409);
      const sendFrom = '/events/webhook/send-from';
      expectError(await as('operator').post(sendFrom, { audit_no: 1 }), 409);
      expectError(await as('operator').post(sendFrom, {}), 400);
      expectError(await as('operator').post(sendFrom, { audit_no: 1, time: '2026-01-01' }), 400);
      expectError(await as('viewer').post(sendFrom, { audit_no: 1 }), 403);
    });

    it('a restore is declared, reviewed and confirmed', async () => {
      const declared = await as('admin').post('/restore/declare');
      expect(declared.body.went_back).toBe(true);
      expect((await as('viewer').get('/overview')).body.restore_open).toBe(true);
      expect((await as('operator').post('/resume')).status).toBe(409);
      await as('operator').post('/restore/review');
      const lost = randomUUID();
      const row = { type: 'row', time: Date.now() - 60_000, action: 'request.cancelled' };
      const line = JSON.stringify({ ...row, controller_id: 'acme', subject_request_id: lost });
      const files = [{ name: 'audit.ndjson', content: line }];
      const reviewed = await as('operator').post('/restore/review', { files });
      expect(reviewed.status, reviewed.text).toBe(200);
      expectFits(reviewed.body, '/restore/review', 'post');
      expect(reviewed.body.requests).toMatchObject([
        { subject_request_id: lost, was: 'cancelled', known_from: 'audit.ndjson' },
      ]);
      const wrong = { files: [{ name: 'notes.txt', content: 'some notes' }] };
      const refused = await as('operator').post('/restore/review', wrong);
      expectError(refused, 400);
      expect(refused.text).toContain('notes.txt has no JSON object on line 1');
      expect((await as('viewer').post('/restore/review', { files })).status).toBe(403);
      expect((await as('admin').post('/restore/confirm', {})).body).toEqual({ cancelled: 0 });
      expect((await as('viewer').get('/restore')).body.went_back).toBe(false);
    });

    it('the contract of a controller ends, once, and is stated', async () => {
      const path = '/controllers/zenith';
      await as('admin').post('/controllers', { controller_id: 'zenith' });
      expectError(await as('viewer').get(`${path}/statement`), 409);
      const closing = (await as('viewer').get(`${path}/closing`)).body;
      expectFits(closing, '/controllers/{controller_id}/closing', 'get');
      expect(closing).toMatchObject({ closed_time: null, pending: 0, in_progress: 0 });
      const close = (confirm: string) =>
        as('admin').post(`${path}/close`, { reason: 'contract ended', confirm });
      expectError(await close('acme'), 400);
      expectError(await as('operator').post(`${path}/close`, { reason: 'x', confirm: 'x' }), 403);
      const closed = (await close('zenith')).body;
      expectFits(closed, '/controllers/{controller_id}/close', 'post');
      expect((await close('zenith')).body).toEqual(closed);
      expectError(await as('admin').post(`${path}/clients`, {}), 409);
      let stated = await as('viewer').get(`${path}/statement`);
      await until(
        async () => {
          if (stated.status === 409) stated = await as('viewer').get(`${path}/statement`);
          return stated.status === 200;
        },
        () => stated.text,
      );
      const { body } = stated;
      expect(body).toMatchObject({ controller_id: 'zenith', closed_time: closed.closed_time });
      const receipt = `${JSON.stringify(body, null, 2)}\n`;
      const verdict = (await as('operator').post('/receipts/verify', { receipt })).body;
      expect(verdict).toMatchObject({ ok: true, controller_id: 'zenith', receipt_no: null });
    });
  });
}
