// A target of an operator's own that fails with the person in its error, in every place that an error
// has, until the file in `healed` is there; then it knows nobody.
import { existsSync } from 'node:fs';
import type { ModuleConnector, Subject } from '../../../src/connectors/module/module-types.ts';

export default function createConnector(options: Record<string, unknown>): ModuleConnector {
  function complain(subjects: readonly Subject[]): void {
    if (existsSync(String(options.healed))) return;
    const value = subjects[0]?.identities[0]?.reveal() ?? '';
    const error = new Error(`<b>${value}</b> is not welcome`, { cause: value });
    error.name = value;
    throw Object.assign(error, { code: value, detail: value });
  }

  return {
    check: async () => [],
    async preview(subjects) {
      complain(subjects);
      return subjects.map(() => ({ outcome: 'found', counts: {} }));
    },
    erase: async (orders) => orders.map(() => ({ outcome: 'erased', counts: {} })),
    verify: async (orders) => orders.map(() => ({ outcome: 'gone', how: 'requeried' })),
    close: async () => undefined,
  };
}
