// Someone with write access to the database puts a request onto the list that an operator reviews after a restore.
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

for (const kind of await storesInMatrix('cli/store/forged-finding')) {
  describe(`a request on the list of a restore that Unwrite did not write, on ${kind}`, () => {
    const shop = useShop({ cancellation_window: '1h' }, kind);
    const { json, unwrite, inStore, submit } = shop;

    it('is shown as not authentic, raises an alarm, and is not cancelled by confirming', async () => {
      const id = await submit('acme', [['email', 'anna@example.com']]);
      await json('restored', 'declare');
      await inStore(`INSERT INTO restore_findings
        (what, controller_id, subject_request_id, time, source)
        VALUES ('cancelled', 'acme', '${id}', ${Date.now()}, 'node-1')`);
      expect(await json('restored', 'review')).toMatchObject({
        requests: [
          {
            subject_request_id: id,
            authentic: false,
            confirming: expect.stringContaining('changes nothing: someone else wrote this entry'),
          },
        ],
      });
      expect(await json('restored', 'confirm')).toEqual({ cancelled: 0 });
      expect((await json('request', 'show', id)).request_status).toBe('pending');
      expect(await json('alarms', 'list', '--kind', 'row_refused')).toMatchObject([
        { message: expect.stringContaining(`the restore finding cancelled acme ${id}`) },
      ]);
    });

    it('is named by the command that confirms, which did nothing about it', async () => {
      const id = await submit('acme', [['email', 'anna@example.com']]);
      await json('restored', 'declare');
      await inStore(`INSERT INTO restore_findings
        (what, controller_id, subject_request_id, time, source)
        VALUES ('cancelled', 'acme', '${id}', ${Date.now()}, 'node-1')`);
      const { stdout } = await unwrite('restored', 'confirm', '--yes');
      expect(stdout).toContain('Nothing was done about 1 item of the list: no MAC of ours.');
    });
  });
}
