// Keys may have been given to other rows since the preview. Whatever is about to be changed must still be
// the order's: by an identity, or by a reference to a parent of the same order.
import type { EraseOrder } from '../../../domain/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target.ts';
import type { Selected, SqlDialect } from '../dialect.ts';
import { referenceAt, referenceText } from '../find/found-rows.ts';
import { matchText, tenantOf } from '../find/match-identities.ts';
import type { Plan, PlannedTable, PlannedVia } from '../plan/plan.ts';
import { selectKey, selectText } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { columnNames, textAt } from '../statement.ts';

export interface Belonging {
  readonly select: readonly Selected[];
  test(row: SqlRow, order: EraseOrder): boolean;
}

export function createBelonging(
  dialect: SqlDialect,
  config: SqlTargetConfig,
  plan: Plan,
  table: PlannedTable,
): Belonging {
  const { matches, tenant, vias } = table;
  const retained = new Set(
    plan.tables.filter(({ action }) => action.kind === 'retain').map(({ name }) => name),
  );
  const references = new Map<EraseOrder, Set<string>[]>();
  const names = vias.map(({ columns }, place) => columnNames(`f${place}_`, columns.length));

  function isMatched(row: SqlRow, order: EraseOrder): boolean {
    if (tenant !== null && textAt(row, 't') !== tenantOf(config.tenancy, order)) return false;
    return matches.some(({ type }, place) => {
      const text = textAt(row, `m${place}`);
      if (text === null) return false;
      const key = matchText(type, text);
      return order.identities.some((own) => own.type === type && own.matchKey() === key);
    });
  }

  function referencesOf(order: EraseOrder): Set<string>[] {
    const before = references.get(order);
    if (before !== undefined) return before;
    const sets = vias.map(({ parent, positions }) => {
      const rows = order.keys[parent] ?? [];
      const texts = rows.map((row) => referenceText(positions.map((at) => row[at] ?? null)));
      return new Set(texts.filter((text) => text !== undefined));
    });
    references.set(order, sets);
    return sets;
  }

  function isChild(row: SqlRow, order: EraseOrder): boolean {
    return vias.some((via, place) => {
      // Keys of what is retained are not kept: the reference alone has to do.
      if (retained.has(via.parent)) return true;
      const text = referenceAt(row, names[place] ?? []);
      return text !== undefined && referencesOf(order)[place]?.has(text) === true;
    });
  }

  return {
    select: [
      ...matches.map(({ column }, place) => selectText(dialect, column, `m${place}`)),
      ...(tenant === null ? [] : [selectText(dialect, tenant, 't')]),
      ...vias.flatMap((via, place) => selectReference(dialect, via, place)),
    ],
    test: (row, order) => isMatched(row, order) || isChild(row, order),
  };
}

function selectReference(dialect: SqlDialect, via: PlannedVia, place: number): Selected[] {
  return via.columns.map((column, at) => selectKey(dialect, column, `f${place}_${at}`));
}
