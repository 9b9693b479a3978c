// A set of rows of several tables, by their keys.
import { byName } from '../../../domain/by-name.ts';
import type { Counts, KeyRow, Keys } from '../../../domain/target/connector.ts';
import { rowId } from '../find/found-rows.ts';
import type { PlannedTable } from '../plan/plan.ts';

type Table = Pick<PlannedTable, 'name' | 'keySize'>;

export class RowSet {
  readonly #tables = new Map<string, { table: Table; rows: Map<string, KeyRow> }>();

  get isEmpty(): boolean {
    return this.#tables.size === 0;
  }

  add(table: Table, values: KeyRow): void {
    const own = this.#tables.get(table.name) ?? { table, rows: new Map<string, KeyRow>() };
    this.#tables.set(table.name, own);
    own.rows.set(rowId(table, values), values);
  }

  remove(tables: readonly Table[], keys: Keys | undefined): void {
    for (const table of tables)
      for (const values of keys?.[table.name] ?? []) this.#take(table, rowId(table, values));
  }

  /** Removes rows that are not in the other set. */
  takeOthersThan(other: RowSet | undefined): [Table, KeyRow][] {
    const taken: [Table, KeyRow][] = [];
    for (const { table, rows } of [...this.#tables.values()]) {
      const theirs = other === undefined ? undefined : other.#tables.get(table.name)?.rows;
      for (const [id, values] of [...rows]) {
        if (theirs?.has(id)) continue;
        taken.push([table, values]);
        this.#take(table, id);
      }
    }
    return taken;
  }

  counts(): Counts {
    return byName([...this.#tables].map(([name, { rows }]) => [name, rows.size]));
  }

  #take({ name }: Table, id: string): void {
    const own = this.#tables.get(name);
    own?.rows.delete(id);
    if (own?.rows.size === 0) this.#tables.delete(name);
  }
}
