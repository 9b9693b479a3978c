import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

for (const kind of await storesInMatrix('cli/audit/verify-rotating')) {
  describe(`unwrite audit verify on ${kind}`, () => {
    const { json, unwrite, submit, addRows, untilTask } = useShop({}, kind);

    async function receiptOf(email: string): Promise<void> {
      addRows('acme', email, 1);
      const id = await submit('acme', [['email', email]]);
      await untilTask(id, 'acme', 'erased');
      await json('receipt', id);
    }

    it('recognises all heads as ours while the proof key is replaced', async () => {
      const rotate = async () => {
        for (let n = 0; n < 2; n++) {
          await json('audit', 'rotate-key');
          await receiptOf(`rotated${n}@example.com`);
        }
      };
      const verify = async () => {
        const problems: unknown[] = [];
        for (let n = 0; n < 3; n++) {
          const { exitCode, stdout, stderr } = await unwrite('audit', 'verify');
          if (exitCode !== 0) problems.push([stdout, stderr]);
        }
        return problems;
      };
      await receiptOf('first@example.com');
      const [problems] = await Promise.all([verify(), rotate()]);
      expect(problems).toEqual([]);
    });
  });
}
