// Two decisions that are not the same: the second is never answered as if it had been done.
import { describe, expect, it } from 'vitest';
import { expectError } from '../../../helpers/http/error-shape.ts';
import { identity } from '../../../helpers/http/request-body.ts';
import { storesInMatrix } from '../../../helpers/stores/test-store.ts';
import { taskAt, useOperatorApi } from './world.ts';

for (const kind of await storesInMatrix('http/operator/api/deciding')) {
  describe(`deciding by the operator API on ${kind}`, () => {
    const world = useOperatorApi(kind);
    const { as, pathOf, json } = world;
    const named = (email: string) => ({ identities: [identity('email', email)] });

    it('other identities by a state that has changed are refused, and the same ones are not added twice', async () => {
      const id = await world.request();
      const { etag } = (await as('viewer').get(pathOf(id))).body;
      const add = (email: string) =>
        as('operator').post(`${pathOf(id)}/identities`, named(email), { 'if-match': etag });
      expect((await add('a@work.example')).status).toBe(200);
      const again = await add('A@work.example');
      expect(again.status).toBe(200);
      expect(again.body.identity_list).toHaveLength(2);
      const other = await add('b@work.example');
      expect(other.status).toBe(409);
      expect(other.body.happened).toMatchObject({ action: 'request.identified' });
      expect(await json('audit', 'list', '--action', 'request.identified')).toHaveLength(1);
    });

    it('if two operators add identities at once based on the same state, one is refused', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await world.request();
        const { etag } = (await as('viewer').get(pathOf(id))).body;
        const answers = await Promise.all(
          (['operator', 'admin'] as const).map((role) =>
            as(role).post(`${pathOf(id)}/identities`, named(`${role}@work.example`), {
              'if-match': etag,
            }),
          ),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      }
    });

    it('if two operators change a controller at once based on the same state, one is refused', async () => {
      for (let round = 0; round < 5; round++) {
        const { etag } = (await as('viewer').get('/controllers/acme')).body;
        const answers = await Promise.all(
          ['one', 'two'].map((name) =>
            as('admin').patch(
              '/controllers/acme',
              { name: `${name} ${round}` },
              { 'if-match': etag },
            ),
          ),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      }
    });

    it('a change of a controller that is sent again is answered again, and another one says who was first', async () => {
      const { etag } = (await as('viewer').get('/controllers/acme')).body;
      const change = (name: string) =>
        as('admin').patch('/controllers/acme', { name }, { 'if-match': etag });
      expect((await change('Acme plc')).status).toBe(200);
      const again = await change('Acme plc');
      expect([again.status, again.body.name]).toEqual([200, 'Acme plc']);
      const other = await change('Acme GmbH');
      expect(other.status).toBe(409);
      expect(other.body.happened).toMatchObject({ action: 'controller.updated' });
      expect(other.body.happened.words).toMatch(/ changed the controller at /);
    });

    it('another reason or note for what was decided is refused; the same is answered again', async () => {
      const task = taskAt(await world.held(), 'register');
      const retain = (legal_basis: string, reason: string) =>
        as('operator').post(
          `/tasks/${task.task}/retain`,
          { legal_basis, reason },
          { 'if-match': task.etag },
        );
      expect((await retain('17(3)(e)', 'a claim')).status).toBe(200);
      expect((await retain('17(3)(e)', 'a claim')).status).toBe(200);
      for (const [basis, reason] of [
        ['17(3)(b)', 'a claim'],
        ['17(3)(e)', 'another'],
      ] as const) {
        const answer = await retain(basis, reason);
        expect(answer.status).toBe(409);
        expect(answer.body.happened.action).toBe('task.retained');
      }
      const confirmed = taskAt(await world.held(), 'register');
      const confirm = (note: string) =>
        as('operator').post(
          `/tasks/${confirmed.task}/confirm`,
          { note },
          { 'if-match': confirmed.etag },
        );
      expect((await confirm('Shredded')).status).toBe(200);
      expect((await confirm('Burnt')).status).toBe(409);
      expect((await confirm('Shredded')).status).toBe(200);
    });

    it('a target is paused and resumed by the state that was seen', async () => {
      const seen = (await as('viewer').get('/targets/register')).body.etag;
      const post = (action: string, etag: string) =>
        as('operator').post(`/targets/register/${action}`, {}, { 'if-match': etag });
      expect((await post('pause', seen)).status).toBe(200);
      expectError(await post('resume', seen), 409);
      const now = (await as('viewer').get('/targets/register')).body.etag;
      expect((await post('resume', now)).status).toBe(200);
    });

    it('revoking a client for scripts again is answered as the first time', async () => {
      const made = await as('admin').post('/operator-clients', { name: 'once', role: 'viewer' });
      const path = `/operator-clients/${made.body.client_id}`;
      expect((await as('admin').remove(path)).status).toBe(204);
      expect((await as('admin').remove(path)).status).toBe(204);
      expect((await as('admin').remove('/operator-clients/none')).status).toBe(404);
    });

    it('two live clients for scripts never have one name', async () => {
      const make = (role: string) => as('admin').post('/operator-clients', { name: 'same', role });
      const made = await make('viewer');
      expect(made.status).toBe(201);
      expectError(await make('admin'), 409);
      await json('operator', 'client', 'revoke', made.body.client_id);
      expect((await make('admin')).status).toBe(201);
    });

    it('a note of invisible characters is refused', async () => {
      const task = taskAt(await world.held(), 'register');
      const note = '\u200b\u2060';
      expectError(await as('operator').post(`/tasks/${task.task}/confirm`, { note }), 400);
    });

    it('a note that spells the identity in other characters is refused', async () => {
      const task = taskAt(await world.held(), 'register');
      const note = 'asked jane.doe @example.com';
      expectError(await as('operator').post(`/tasks/${task.task}/confirm`, { note }), 400);
    });
  });
}
