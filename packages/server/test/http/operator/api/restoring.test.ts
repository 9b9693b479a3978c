// Files that operators add to the list after a restore, and confirming what somebody has seen of it.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../../helpers/http/error-shape.ts';
import { storesInMatrix } from '../../../helpers/stores/test-store.ts';
import { useOperatorApi } from './world.ts';

for (const kind of await storesInMatrix('http/operator/api/restoring')) {
  describe(`the list after a restore, by the operator API on ${kind}`, () => {
    const world = useOperatorApi(kind);
    const { as, json, pathOf } = world;
    let pending = '';
    beforeAll(async () => {
      pending = await world.request();
      expect((await as('admin').post('/restore/declare')).status).toBe(200);
    });

    const row = (more: object = {}) => ({
      type: 'row',
      time: Date.now() - 60_000,
      action: 'request.cancelled',
      controller_id: 'acme',
      subject_request_id: randomUUID(),
      ...more,
    });
    const add = (content: string, name = 'audit.ndjson') =>
      as('operator').post('/restore/review', { files: [{ name, content }] });
    const listed = async (): Promise<string[]> =>
      (await as('viewer').get('/restore')).body.requests.map(
        (it: { subject_request_id: string }) => it.subject_request_id,
      );

    it('refuses rows whose members are not what an export has, and says which line it is', async () => {
      const before = await listed();
      for (const more of [
        { action: { toString: 1 } },
        { controller_id: { toString: 1 } },
        { controller_id: ['acme'] },
        { subject_request_id: [randomUUID()] },
        { time: 1.5 },
        { time: '1' },
        { time: [1] },
        { time: true },
        { time: null },
        { time: -1 },
        { time: 1e300 },
        { time: Number.MAX_SAFE_INTEGER },
      ]) {
        const answer = await add(`${JSON.stringify(row())}\n${JSON.stringify(row(more))}`);
        expect(expectError(answer, 400)).toContain('audit.ndjson has a row on line 2 whose ');
      }
      for (const action of ['toString', '__proto__']) {
        expect((await add(JSON.stringify(row({ action })))).status).toBe(200);
      }
      const part = { name: 'part', content: JSON.stringify({ type: 'other' }), first_line: 1000 };
      const refused = await as('operator').post('/restore/review', { files: [part] });
      expect(expectError(refused, 400)).toContain('part has the type "other" on line 1000');
      const receipt = { completed_time: { toString: 1 }, controller_id: 'acme' };
      expectError(await add(JSON.stringify(receipt)), 400);
      expectError(await add('['.repeat(100_000)), 400);
      expect(await listed()).toEqual(before);
    });

    it('takes an export with a byte order mark and line ends of Windows', async () => {
      const rows = [row(), row()];
      const text = `\uFEFF${rows.map((it) => `${JSON.stringify(it)}\r\n`).join('\r\n')}`;
      expect((await add(text)).status).toBe(200);
      const ids = await listed();
      for (const { subject_request_id } of rows) expect(ids).toContain(subject_request_id);
    });

    it('takes what was cancelled while the clock was ahead', async () => {
      const ahead = row({ time: Date.now() + 3 * 3_600_000 });
      expect((await add(JSON.stringify(ahead))).status).toBe(200);
      expect(await listed()).toContain(ahead.subject_request_id);
    });

    it('refuses file names that could not be displayed readably', async () => {
      for (const name of ['a\u202Egnp.exe', 'a\nb', 'a\u200Bb', '\u0007']) {
        const answer = await add(JSON.stringify(row()), name);
        expectError(answer, 400);
        expect(answer.text).toContain('control or invisible characters');
      }
    });

    it('says in the audit log who added how much to it', async () => {
      const asked = () => json('audit', 'list', '--action', 'store.restore_reviewed');
      const before = (await asked()).length;
      const lines = [row(), row()].map((it) => JSON.stringify(it)).join('\n');
      await add(lines);
      // The same once more adds nothing.
      await add(lines);
      const rows = await asked();
      expect(rows).toHaveLength(before + 1);
      expect(rows[0]).toMatchObject({
        actor: 'operator:client:my operator',
        detail: { added: 2, requests: (await listed()).length },
      });
    });

    it('is read page by page, with the etag of the whole', async () => {
      const time = Date.now() - 60_000;
      await add(Array.from({ length: 5 }, () => JSON.stringify(row({ time }))).join('\n'));
      const whole = (await as('viewer').get('/restore?limit=200')).body;
      expect(whole).toMatchObject({ count: whole.requests.length, next: null });
      const seen: unknown[] = [];
      for (let after = ''; ; ) {
        const { body } = await as('viewer').get(`/restore?limit=2${after}`);
        expect(body).toMatchObject({ count: whole.count, etag: whole.etag });
        seen.push(...body.requests);
        if (body.next === null) break;
        expect(body.requests).toHaveLength(2);
        after = `&after=${body.next}`;
      }
      expect(seen).toEqual(whole.requests);
      expectError(await as('viewer').get('/restore?after=W10'), 400);
    });

    it('is confirmed only as it was seen', async () => {
      const seen = await as('admin').get('/restore');
      expect(seen.headers.get('etag')).toBe(seen.body.etag);
      await add(JSON.stringify(row({ subject_request_id: pending })));
      const confirm = (etag: string) =>
        as('admin').post('/restore/confirm', {}, { 'if-match': etag });
      const refused = await confirm(seen.body.etag);
      expectError(refused, 409);
      expect(refused.text).toContain('has changed since you read it');
      expect((await as('viewer').get(pathOf(pending))).body.request_status).toBe('pending');
      const { etag } = (await as('admin').get('/restore')).body;
      expect((await confirm(etag)).body).toEqual({ cancelled: 1 });
      // Its answer got lost, and it is sent again.
      expect((await confirm(etag)).body).toEqual({ cancelled: 1 });
      expect(await json('audit', 'list', '--action', 'store.restore_confirmed')).toHaveLength(1);
    });
  });
}
