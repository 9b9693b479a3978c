// Evidence that is not what the audit log says: an admin vouches for it, once.
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../../helpers/stores/test-store.ts';
import { taskAt, useOperatorApi } from './world.ts';

for (const kind of await storesInMatrix('http/operator/api/accepting')) {
  describe(`accepting evidence by the operator API on ${kind}`, () => {
    const world = useOperatorApi(kind);
    const { as, pathOf, json } = world;

    /** Completed, with evidence that somebody has changed. */
    async function refused() {
      const { subject_request_id: id, tasks } = await world.held();
      await world.inStore(
        `UPDATE tasks SET evidence = replace(evidence, '"attempts":1', '"attempts":7')
         WHERE task_no = ${taskAt({ tasks }, 'shop').task}`,
      );
      const { task } = taskAt({ tasks }, 'register');
      await as('operator').post(`/tasks/${task}/confirm`, { note: 'shredded' });
      const page = await world.pageWhen(id, ({ receipt_refused: why }) => why !== null);
      const accept = (reason: string, etag?: string) =>
        as('admin').post(
          `${pathOf(id)}/accept-evidence`,
          { reason },
          etag === undefined ? {} : { 'if-match': etag },
        );
      return { id, etag: page.etag as string, accept };
    }

    it('goes by If-Match, is answered again if it is sent again, and another reason is refused', async () => {
      const { id, etag, accept } = await refused();
      const stale = await accept('seen in the backup', '"another state"');
      expect([stale.status, stale.body.error.message]).toEqual([
        409,
        'the request has changed since you read it; read it again, then decide',
      ]);
      const accepted = await accept('seen in the backup', etag);
      expect([accepted.status, accepted.body.receipts.length]).toEqual([200, 1]);
      for (const repeated of [
        await accept('seen in the backup', etag),
        await accept('seen in the backup'),
      ]) {
        expect([repeated.status, repeated.body.receipts.length]).toEqual([200, 1]);
      }
      const other = await accept('asked the shop', etag);
      expect([other.status, other.body.happened.action]).toEqual([409, 'evidence.accepted']);
      expect(other.body.happened.words).toContain('my admin');
      expect(other.body.happened.words).toContain('accepted the evidence at ');
      const rows = await json('audit', 'list', '--action', 'evidence.accepted', '--request', id);
      expect(rows).toHaveLength(2);
    });

    it('if two admins accept it at once based on the same state, one is refused', async () => {
      const { id, etag, accept } = await refused();
      const answers = await Promise.all(['one', 'two'].map((reason) => accept(reason, etag)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const rows = await json('audit', 'list', '--action', 'evidence.accepted', '--request', id);
      expect(rows).toHaveLength(2);
    });
  });
}
