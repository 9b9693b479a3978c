// Erases what a connector finds for people, or what it is told to, without anything that could forbid it.
import type {
  Connector,
  EraseOrder,
  EraseSteps,
  Erasure,
  Preview,
  Subject,
} from '../../src/domain/target/connector.ts';

type Erasing = Pick<Connector, 'erase'>;

/** For people who may not be erased, why. */
export async function eraseFound(
  connector: Erasing,
  subjects: readonly Subject[],
  record: EraseSteps['record'] = async () => true,
  onOrder: (order: EraseOrder) => void = () => undefined,
): Promise<Erasure[]> {
  const stopped = new Map<number, Erasure>();
  const erasures = await connector.erase(subjects, {
    decide(asked, previews) {
      for (const [place, { taskNo }] of asked.entries()) {
        const preview = previews[place];
        if (preview?.outcome === 'held' || preview?.outcome === 'failed')
          stopped.set(taskNo, preview);
      }
      const orders = orderAll(asked, previews);
      for (const order of orders) onOrder(order);
      return orders;
    },
    record,
  });
  return erasures.map((erasure, place) =>
    erasure.outcome === 'left_out'
      ? (stopped.get(subjects[place]?.taskNo ?? -1) ?? erasure)
      : erasure,
  );
}

/** Whatever the connector finds now. */
export function eraseOrders(connector: Erasing, orders: readonly EraseOrder[]): Promise<Erasure[]> {
  return connector.erase(orders, { decide: () => orders, record: async () => true });
}

export function orderAll(subjects: readonly Subject[], previews: readonly Preview[]): EraseOrder[] {
  return subjects.flatMap((subject, place) => {
    const preview = previews[place];
    if (preview?.outcome !== 'found') return [];
    const { keys, counts, layout } = preview;
    return [{ ...subject, keys, counts, ...(layout !== undefined && { layout }) }];
  });
}
