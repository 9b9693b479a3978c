// A target of an operator's own that does something to its process, until the file in `healed` is there; then it
// knows nobody.
import { existsSync } from 'node:fs';
import type { ModuleConnector } from '../../../src/connectors/module/module-types.ts';

export const FAULTS = {
  exits: () => process.exit(0),
  'rejects unhandled': () => {
    void Promise.reject(new Error('nobody catches this'));
    return new Promise<never>(() => undefined);
  },
  loops: () => {
    for (;;);
  },
  'never answers': () => new Promise<never>(() => undefined),
} as const;
export type FaultName = keyof typeof FAULTS;

export default function createConnector(options: Record<string, unknown>): ModuleConnector {
  return {
    check: async () => [],
    async preview(subjects) {
      if (!existsSync(String(options.healed))) await FAULTS[options.fault as FaultName]();
      return subjects.map(() => ({ outcome: 'found', counts: {} }));
    },
    erase: async (orders) => orders.map(() => ({ outcome: 'erased', counts: {} })),
    verify: async (orders) => orders.map(() => ({ outcome: 'gone', how: 'requeried' })),
    close: async () => undefined,
  };
}
