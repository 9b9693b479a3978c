// References that may become NULL, in rows of another tenant: held, as everything is that is tied to another.
import { entryOf, type Snapshot, tellsTenant, type World } from '../declared-world.ts';
import type { DeclaredTable, GeneratedRequest, Row } from '../generated-case.ts';
import { isReferredTo } from '../make/keep-constraints.ts';
import { isOfTenant } from './is-of-tenant.ts';
import { type Claim, tenancyOf } from './ways-of-row.ts';

type Answer = 'free' | 'unsure' | 'held';

export function tenantsOfDetached(
  world: World,
  rows: Snapshot,
  claims: ReadonlyMap<string, ReadonlyMap<string, Claim>>,
  request: GeneratedRequest,
): { readonly table: string; readonly rid: string; readonly answer: Answer }[] {
  const { database, tables, configuration } = world;
  return configuration.detach.flatMap((name) => {
    const [table = '', column = ''] = name.split('.');
    const references = tables.find((one) => one.name === table)?.references ?? [];
    return references
      .filter(({ pairs, onDelete }) => onDelete !== null && pairs[0]?.child === column)
      .flatMap(({ parent, pairs }) => {
        const going = goingOf(world, rows, claims, parent);
        return [...(rows.get(table) ?? [])]
          .filter(([rid, row]) => {
            if (claims.get(table)?.has(rid)) return false;
            return going.some((above) =>
              isReferredTo(database, tables, table, row, parent, above, pairs),
            );
          })
          .map(([rid, row]) => ({
            table,
            rid,
            answer: tenancyOfDetached(world, rows, table, row, request),
          }));
      });
  });
}

function goingOf(
  world: World,
  rows: Snapshot,
  claims: ReadonlyMap<string, ReadonlyMap<string, Claim>>,
  table: string,
): Row[] {
  return [...(claims.get(table) ?? [])].flatMap(([rid, claim]) => {
    const row = rows.get(table)?.get(rid);
    if (claim === 'kept' || row === undefined) return [];
    return entryOf(world, table, row)?.action === 'delete' ? [row] : [];
  });
}

/** Of a row that stays: whether it may lose a reference to the request's. */
export function tenancyOfDetached(
  world: World,
  rows: Snapshot,
  table: string,
  row: Row,
  request: GeneratedRequest,
): Answer {
  if (world.configuration.tenancy.way !== 'column') return 'free';
  if (tellsTenant(world, table)) {
    return isOfTenant(world, rows, { table }, row, request) ? 'free' : 'held';
  }
  const entry = entryOf(world, table, row);
  // Outside the "where" of a declared one, it may lead to another tenant all the same.
  if (entry === undefined && world.configuration.tables.some((one) => one.table === table))
    return 'unsure';
  const tenancy = tenancyOf(world, rows, entry ?? undeclared(world, table), row, request);
  if (tenancy === 'another tenant') return 'held';
  return tenancy === 'somewhere' || leadsOut(world, table, row) ? 'unsure' : 'free';
}

/** It goes by a cascade, and refers to a row of which nothing tells the tenant: to hold is no mistake. */
function leadsOut({ tables, configuration }: World, table: string, row: Row): boolean {
  if (!configuration.cascades.includes(table)) return false;
  const references = tables.find(({ name }) => name === table)?.references ?? [];
  return references.some(
    ({ parent, pairs }) =>
      !configuration.tables.some((one) => one.table === parent) &&
      pairs.every(({ child }) => (row[child] ?? null) !== null),
  );
}

/** A table that is not declared has the tenants of what its foreign keys lead to. */
function undeclared({ tables }: World, table: string): Pick<DeclaredTable, 'table' | 'via'> {
  const references = tables.find(({ name }) => name === table)?.references ?? [];
  return { table, via: references.filter(({ onDelete }) => onDelete !== null) };
}
