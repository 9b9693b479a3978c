import { describe, expect, it } from 'vitest';
import type { Connector, EraseOrder, Subject } from '../../src/domain/target/connector.ts';
import { guardConnector } from '../../src/fulfilment/guard-connector.ts';
import { orderOf, subjectOf } from '../helpers/subject.ts';
import { createMemoryConnector } from './memory-connector.ts';

const orders = [
  orderOf(subjectOf(1, [['email', 'jane@example.com']]), { people: 1 }, { people: [['7']] }),
  orderOf(subjectOf(2, [['email', 'joe@example.com']]), { people: 1 }, { people: [['8']] }),
];

const NOTHING = { decide: () => [], record: async () => true };

describe('a connector of any kind', () => {
  async function handedTo(verb: 'preview' | 'erase' | 'verify' | 'resolve') {
    const memory = createMemoryConnector();
    let handed: readonly (Subject | EraseOrder)[] = [];
    const connector: Connector = {
      ...memory,
      [verb]: async (given: readonly EraseOrder[]) => {
        handed = given;
        return [];
      },
    };
    const guarded = guardConnector(connector, async () => undefined);
    if (verb === 'erase') await guarded.erase(orders, NOTHING);
    else await guarded[verb]?.(orders);
    return handed;
  }

  it.each(['preview', 'erase', 'verify', 'resolve'] as const)(
    'is handed frozen copies by %s',
    async (verb) => {
      const handed = await handedTo(verb);
      expect(handed).toEqual(orders);
      expect(Object.isFrozen(handed)).toBe(true);
      for (const [place, one] of handed.entries()) {
        expect(one).not.toBe(orders[place]);
        const parts = [one, one.identities, ...one.identities];
        const counted = 'counts' in one ? [one.counts, one.keys] : [];
        for (const part of [...parts, ...counted]) expect(Object.isFrozen(part)).toBe(true);
      }
      expect(orders.some((one) => Object.isFrozen(one) || Object.isFrozen(one.counts))).toBe(false);
    },
  );
});
