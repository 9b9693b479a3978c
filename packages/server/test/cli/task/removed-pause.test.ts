// A pause that no operator ended: deleted from the store, behind the server's back.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

for (const kind of await storesInMatrix('cli/task/removed-pause')) {
  describe(`a removed pause, on ${kind}`, () => {
    const shop = useShop({}, kind);
    const { json, inStore, submit, addRows, rowsOf, untilTask } = shop;

    it('stays in force until an operator resumes, and an alarm reports it', async () => {
      const id = randomUUID();
      addRows('acme', 'paused@example.com', 1);
      await json('pause');
      await submit('acme', [['email', 'paused@example.com']], id);
      await untilTask(id, 'acme', 'waiting');
      await inStore('DELETE FROM brakes');
      await expect
        .poll(() => json('alarms', 'list'), { timeout: 15_000 })
        .toContainEqual(
          expect.objectContaining({
            kind: 'row_refused',
            message: expect.stringContaining('the pause stays in force until "unwrite resume"'),
          }),
        );
      expect(rowsOf('acme', 'paused@example.com')).toBe(1);
      await json('resume');
      await untilTask(id, 'acme', 'erased');
      expect(rowsOf('acme', 'paused@example.com')).toBe(0);
    });
  });
}
