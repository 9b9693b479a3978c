import type { Snapshot } from '../declared-world.ts';
import type { Row } from '../generated-case.ts';

export interface RowChange {
  readonly table: string;
  readonly rid: string;
  readonly before: Row;
  /** undefined: it is gone. */
  readonly after: Row | undefined;
}

export function changesBetween(from: Snapshot, to: Snapshot): RowChange[] {
  return [...from].flatMap(([table, rows]) =>
    [...rows].flatMap(([rid, before]) => {
      const after = to.get(table)?.get(rid);
      const isSame = after !== undefined && JSON.stringify(after) === JSON.stringify(before);
      return isSame ? [] : [{ table, rid, before, after }];
    }),
  );
}
