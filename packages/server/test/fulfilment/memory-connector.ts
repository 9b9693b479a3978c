// An operator's own connector: one table in memory, honest unless a test says otherwise.
import { eraseByCall } from '../../src/connectors/erase-as-previewed.ts';
import type {
  Connector,
  EraseOrder,
  Erasure,
  Keys,
  Preview,
  Resolution,
  Subject,
  Verdict,
} from '../../src/domain/target/connector.ts';

export interface Row {
  readonly id: string;
  readonly email: string;
  readonly controllerId: string;
}

/** What a test puts in place of an honest answer; given the honest way, to be called or not. */
export interface Tricks {
  preview?(honest: () => Preview[], subjects: readonly Subject[]): Promise<Preview[]>;
  erase?(honest: () => Erasure[], orders: readonly EraseOrder[]): Promise<Erasure[]>;
  verify?(honest: () => Verdict[], orders: readonly EraseOrder[]): Promise<Verdict[]>;
  resolve?(subjects: readonly Subject[]): Promise<Resolution[]>;
}

export interface MemoryConnector extends Connector {
  rows: Row[];
  /** Rows of the operator's that are counted and kept. */
  invoices: Row[];
  tricks: Tricks;
  /** By verb, the task numbers it was called with. */
  readonly calls: { readonly verb: string; readonly taskNos: number[] }[];
}

export const TABLE = 'customers';

export function createMemoryConnector(): MemoryConnector {
  const matches = (subject: Subject, row: Row) =>
    row.controllerId === subject.controllerId &&
    subject.identities.some((it) => it.type === 'email' && it.reveal() === row.email);
  const ids = (keys: Keys) => new Set((keys[TABLE] ?? []).map(([id]) => id));

  function previewAll(subjects: readonly Subject[]): Preview[] {
    const claimed = new Map<string, number>();
    return subjects.map((subject): Preview => {
      if (!subject.identities.some(({ type }) => type === 'email')) return { outcome: 'unmatched' };
      const mine = connector.rows.filter((row) => matches(subject, row));
      const free = mine.filter(({ id }) => !claimed.has(id));
      const sharedWith = [...new Set(mine.flatMap(({ id }) => claimed.get(id) ?? []))];
      for (const { id } of free) claimed.set(id, subject.taskNo);
      return {
        outcome: 'found',
        counts: { [TABLE]: free.length },
        retained: { invoices: connector.invoices.filter((row) => matches(subject, row)).length },
        keys: { [TABLE]: free.map(({ id }) => [id]) },
        sharedWith,
      };
    });
  }

  function eraseAll(orders: readonly EraseOrder[]): Erasure[] {
    return orders.map(({ keys }): Erasure => {
      const before = connector.rows.length;
      connector.rows = connector.rows.filter(({ id }) => !ids(keys).has(id));
      return { outcome: 'erased', counts: { [TABLE]: before - connector.rows.length } };
    });
  }

  function verifyAll(orders: readonly EraseOrder[]): Verdict[] {
    return orders.map((order): Verdict => {
      const left = connector.rows.filter(
        (row) => ids(order.keys).has(row.id) || matches(order, row),
      );
      return left.length === 0
        ? { outcome: 'gone', how: 'requeried' }
        : { outcome: 'remains', counts: { [TABLE]: left.length } };
    });
  }

  const called = (verb: string, subjects: readonly Subject[]) =>
    connector.calls.push({ verb, taskNos: subjects.map(({ taskNo }) => taskNo) });

  const connector: MemoryConnector = {
    rows: [],
    invoices: [],
    tricks: {},
    calls: [],
    check: async () => [],
    async preview(subjects) {
      called('preview', subjects);
      const honest = () => previewAll(subjects);
      return (await connector.tricks.preview?.(honest, subjects)) ?? honest();
    },
    erase: eraseByCall(
      (subjects) => connector.preview(subjects),
      async (orders) => {
        called('erase', orders);
        const honest = () => eraseAll(orders);
        return (await connector.tricks.erase?.(honest, orders)) ?? honest();
      },
    ),
    async verify(orders) {
      called('verify', orders);
      const honest = () => verifyAll(orders);
      return (await connector.tricks.verify?.(honest, orders)) ?? honest();
    },
    async resolve(subjects) {
      called('resolve', subjects);
      return (
        (await connector.tricks.resolve?.(subjects)) ??
        subjects.map(() => ({ outcome: 'resolved', identities: [] }))
      );
    },
    close: async () => undefined,
  };
  return connector;
}
