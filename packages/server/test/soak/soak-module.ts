// A target of an operator's own that knows nobody. Its process is killed now and then, and now and then it exits
// by itself, before the call is answered; the file in `exits` gets a character for each time.
import { appendFileSync } from 'node:fs';
import type { ModuleConnector } from '../../src/connectors/module/module-types.ts';

const EXIT_CHANCE = 0.02;

export default function createConnector(options: Record<string, unknown>): ModuleConnector {
  function exitNowAndThen(): void {
    if (Math.random() >= EXIT_CHANCE) return;
    appendFileSync(String(options.exits), '.');
    process.exit(3);
  }

  return {
    check: async () => [],
    async preview(subjects) {
      exitNowAndThen();
      return subjects.map(() => ({ outcome: 'found', counts: {} }));
    },
    async erase(orders) {
      exitNowAndThen();
      return orders.map(() => ({ outcome: 'erased', counts: {} }));
    },
    async verify(orders) {
      exitNowAndThen();
      return orders.map(() => ({ outcome: 'gone', how: 'requeried' }));
    },
    close: async () => undefined,
  };
}
