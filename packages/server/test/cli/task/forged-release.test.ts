// A release that no operator gave: written into the store, behind the server's back.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

for (const kind of await storesInMatrix('cli/task/forged-release')) {
  describe(`a forged release, on ${kind}`, () => {
    const shop = useShop({}, kind);
    const { json, inStore, submit, addRows, rowsOf, untilTask } = shop;

    it('erases nothing: the task is held again, and an alarm reports it', async () => {
      const id = randomUUID();
      addRows('acme', 'forged@example.com', 5);
      await submit('acme', [['email', 'forged@example.com']], id);
      const task = await untilTask(id, 'acme', 'held');
      await inStore(
        `UPDATE tasks SET state = 'waiting', reason = NULL, detail = NULL, allowed_rows = 1000, due_time = 0
         WHERE task_no = ${task}`,
      );
      await expect
        .poll(
          () => inStore(`SELECT attempts FROM tasks WHERE task_no = ${task} AND state = 'held'`),
          { timeout: 15_000 },
        )
        .toMatchObject([{ attempts: 2 }]);
      expect(rowsOf('acme', 'forged@example.com')).toBe(5);
      const alarms = await json('alarms', 'list');
      expect(alarms).toContainEqual(
        expect.objectContaining({
          kind: 'row_refused',
          message: expect.stringContaining(
            `the release ${task} in the store does not authenticate`,
          ),
        }),
      );

      // The operator's own is as good as ever, and its MAC serves no other number of rows.
      await json('pause');
      await json('task', 'release', task);
      await inStore(`UPDATE tasks SET allowed_rows = 1000 WHERE task_no = ${task}`);
      addRows('acme', 'forged@example.com', 2);
      await json('resume');
      await untilTask(id, 'acme', 'held');
      expect(rowsOf('acme', 'forged@example.com')).toBe(7);
      await json('task', 'release', task);
      await untilTask(id, 'acme', 'erased');
      expect(rowsOf('acme', 'forged@example.com')).toBe(0);
    });
  });
}
