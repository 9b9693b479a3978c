// A target of an operator's own that knows nobody; its process is killed now and then.
import type { ModuleConnector } from '../../src/connectors/module/module-types.ts';

export default function createConnector(): ModuleConnector {
  return {
    check: async () => [],
    async preview(subjects) {
      return subjects.map(() => ({ outcome: 'found', counts: {} }));
    },
    erase: async (orders) => orders.map(() => ({ outcome: 'erased', counts: {} })),
    verify: async (orders) => orders.map(() => ({ outcome: 'gone', how: 'requeried' })),
    close: async () => undefined,
  };
}
