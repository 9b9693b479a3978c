// A request that was cancelled is made pending again by SQL: the node that answered the cancellation knows better.
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

for (const kind of await storesInMatrix('cli/store/revived-request')) {
  describe(`a cancelled request that is pending again, on ${kind}`, () => {
    const shop = useShop({ cancellation_window: '1h' }, kind);
    const { json, inStore, submit, cancel } = shop;

    it('does not start on the node that answered its cancellation', async () => {
      const id = await submit('acme', [['email', 'anna@example.com']]);
      await cancel('acme', id);
      await inStore(`UPDATE requests SET status = 'pending', cancelled_time = NULL,
        start_asked_by = 'operator:root' WHERE subject_request_id = '${id}'`);
      const review = () => json('restored', 'review');
      await expect.poll(review, { timeout: 60_000 }).toMatchObject({
        went_back: true,
        requests: [{ subject_request_id: id, was: 'cancelled', request_status: 'pending' }],
      });
      expect(await json('restored', 'confirm')).toEqual({ cancelled: 1 });
      expect((await json('request', 'show', id)).request_status).toBe('cancelled');
    });
  });
}
