// Finds the rows of a table that match identities of a batch: the statement returns candidates, this code
// decides.

import { Identity, ignoresCase } from '../../../domain/request/identity.ts';
import type { Subject } from '../../../domain/target/connector.ts';
import { isOfList } from '../../../domain/target/json-path.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import { canonicalUuid, holdsNumbers, withoutEndZeros } from '../canonical-value.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Bind, Selected, SqlDialect } from '../dialect.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedMatch, PlannedVia } from '../plan/plan.ts';
import type { PlannedWhere } from '../plan/where-values.ts';
import { selectRows } from '../select-rows.ts';
import type { SqlRow, SqlSession } from '../session.ts';
import { inChunks, textAt } from '../statement.ts';
import { type Doubt, doubtOf, readMatched, selectMatched } from './matched-value.ts';
import { NOBODYS, type Tenants, whoseOf } from './row-tenants.ts';
import { selectTenant } from './row-ways.ts';
import { otherTenant } from './shared-holds.ts';
import { isTenant, refuseSpelt, tenantOf, tenantTexts } from './tenants.ts';
import { isInside, selectWhere, whereSql } from './where-rows.ts';

/** The table to search, which may also be one that is only used for lookups. */
export interface MatchedTable {
  readonly name: string;
  readonly sqlName: string;
  readonly tenant: ColumnShape | null;
  /** As in PlannedTable; a table that is only used for lookups has none. */
  readonly tenantBy: readonly PlannedVia[];
  readonly where: readonly PlannedWhere[];
}

/** Reads the tenants of rows of a table whose rows have them by reference. */
export type TenantsOf = (table: MatchedTable, rows: readonly SqlRow[]) => Promise<Tenants[]>;

/** A candidate, and of whom it can be: for rows of other tenants of nobody. */
interface Candidate {
  readonly row: SqlRow;
  isOf(place: number): boolean;
}

/** The form in which an identity and a row's value are compared in this column. */
export function matchText(
  { type, column, path, trim }: Omit<PlannedMatch, 'isLowerIndexed'>,
  stored: string,
): string {
  const text = trim ? stored.trim() : stored;
  if (path === null && column.kind === 'uuid') return canonicalUuid(text) ?? text;
  if (path === null && column.kind === 'integer') return withoutFill(column, text);
  return new Identity(type, text).matchKey();
}

/** The identities that equal a stored value. A number is also found by its canonical decimal. */
export function storedTexts(match: Omit<PlannedMatch, 'isLowerIndexed'>, stored: string): string[] {
  const text = matchText(match, stored);
  const plain = match.path === null && holdsNumbers(match.column) ? withoutEndZeros(text) : text;
  return plain === text ? [text] : [text, plain];
}

/**
 * MySQL displays the numbers of such a column with leading zeros, up to its width: people know them in this
 * form.
 */
function withoutFill({ type }: ColumnShape, text: string): string {
  const [, width] = /\((\d+)\).*zerofill/i.exec(type) ?? [];
  if (width === undefined || text.length !== Number(width) || !/^\d+$/.test(text)) return text;
  return text.replace(/^0+(?=\d)/, '');
}

export interface IdentityMatcher {
  /** Candidates read as `columns`, each with the positions of its owners in the batch. */
  find(
    table: MatchedTable,
    match: PlannedMatch,
    columns: readonly Selected[],
    suffix: string,
  ): AsyncGenerator<{ row: SqlRow; owners: number[] }>;
}

export function createIdentityMatcher(
  session: SqlSession,
  dialect: SqlDialect,
  config: SqlTargetConfig,
  subjects: readonly Subject[],
  tenantsOf?: TenantsOf,
): IdentityMatcher {
  const tenants = subjects.map((subject) => tenantOf(config.tenancy, subject));

  function wanted(match: PlannedMatch): Map<string, number[]> {
    const places = new Map<string, number[]>();
    subjects.forEach((subject, place) => {
      for (const identity of subject.identities) {
        if (identity.type !== match.type) continue;
        const text = matchText(match, identity.reveal());
        if (match.path === null && !dialect.canHoldText(match.column, text)) continue;
        const others = places.get(text);
        if (others === undefined) places.set(text, [place]);
        else if (!others.includes(place)) others.push(place);
      }
    });
    return places;
  }

  /** `mayCount`: whether the row may be a subject's at all. */
  async function candidates(
    table: MatchedTable,
    match: PlannedMatch,
    columns: readonly Selected[],
    statement: { readonly suffix: string; among(bind: Bind): string },
    mayCount: (row: SqlRow) => boolean,
  ): Promise<Candidate[]> {
    const { tenant, tenantBy } = table;
    const select = [
      ...columns,
      selectMatched(dialect, match, 'm'),
      ...selectWhere(dialect, table),
      ...selectTenant(dialect, table),
    ];
    const found = await selectRows(session, dialect, select, (list, bind) => {
      // If placeholders have no numbers, values are bound in the order of the text.
      const where = whereSql(dialect, table, bind);
      const mine = tenant === null ? '' : `${ofTenants(tenant, tenantBy.length > 0, bind)} AND `;
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${where}${mine}${statement.among(bind)}${statement.suffix}`;
    });
    const rows = found.filter((row) => isInside(table, row) && mayCount(row));
    const all = tenantBy.length > 0 ? await tenantsOf?.(table, rows) : undefined;
    return rows.map((row, at): Candidate => {
      if (all === undefined)
        return {
          row,
          isOf: (place) => tenant === null || isTenant(tenant, textAt(row, 't'), tenants[place]),
        };
      return {
        row,
        isOf(place) {
          const whose = whoseOf(all[at] ?? NOBODYS, tenants[place]);
          if (whose === 'both') throw ofSeveralTenants(table);
          return whose === 'own';
        },
      };
    });
  }

  function ofTenants(tenant: ColumnShape, isByReference: boolean, bind: Bind): string {
    const among = dialect.amongTexts(tenant, tenantTexts(tenant, tenants), bind);
    return isByReference ? `(${among} OR ${dialect.quote(tenant.name)} IS NULL)` : among;
  }

  return {
    async *find(table, match, columns, suffix) {
      const places = wanted(match);
      const own = (row: SqlRow): readonly number[] => {
        const texts = readMatched(match, textAt(row, 'm'));
        const stored = texts.flatMap((text) => storedTexts(match, text));
        return [...new Set(stored.flatMap((one) => places.get(one) ?? []))];
      };
      const mayCount = (row: SqlRow) =>
        own(row).length > 0 || doubtIn(match, textAt(row, 'm')) !== undefined;
      const ownersOf = ({ row, isOf }: Candidate): number[] => {
        refuseDoubtful(table, match, textAt(row, 'm'), places, isOf);
        const people = own(row);
        const owners = people.filter(isOf);
        // The database has compared the tenants too.
        if (people.length > 0 && owners.length === 0)
          refuseSpelt(config.tenancy, tenants, table, row);
        return owners;
      };
      const { column, path } = match;
      const statements = [...inChunks([...places.keys()], dialect.maxValues)].map((texts) => ({
        // Documents with the identity anywhere in them are no measure of how many rows there are.
        suffix: isOfList(path) ? '' : suffix,
        among: (bind: Bind) => amongIdentities(dialect, match, texts, bind),
      }));
      if (path !== null && places.size > 0 && dialect.mayMiss(column, path, () => '') !== null)
        statements.push({ suffix: '', among: (bind) => dialect.mayMiss(column, path, bind) ?? '' });
      for (const statement of statements)
        for (const one of await candidates(table, match, columns, statement, mayCount)) {
          const owners = ownersOf(one);
          if (owners.length > 0) yield { row: one.row, owners };
        }
    },
  };
}

function ofSeveralTenants({ name }: MatchedTable): NeedsDecision {
  const { reason, detail } = otherTenant({ name, tenant: null });
  return new NeedsDecision(reason, detail);
}

const DOUBTS: Readonly<Record<Doubt['reason'], string>> = {
  unreadable: 'which is no JSON that can be read',
  twice:
    'where a name of the path is in one object twice, and some readers take the first, others the last',
  encoded: 'in JSON that is written into the document as a text (encoded twice)',
};

function doubtIn(match: PlannedMatch, read: string | null): Doubt | undefined {
  return doubtOf(match, read, {
    part: (text) => matchText({ ...match, trim: false }, text),
    whole: (text) => matchText(match, text),
  });
}

/** A document that does not say whose it is may be the person's if it contains their identity. */
function refuseDoubtful(
  { name }: MatchedTable,
  match: PlannedMatch,
  read: string | null,
  places: ReadonlyMap<string, readonly number[]>,
  isOf: (place: number) => boolean,
): void {
  const doubt = doubtIn(match, read);
  if (doubt === undefined) return;
  for (const [identity, owners] of places)
    if (owners.some(isOf) && doubt.mayBeOf(identity))
      throw new NeedsDecision(
        'ambiguous_reference',
        `a row of ${name} has an identity of this request in "${match.column.name}", ${DOUBTS[doubt.reason]}; correct the value or delete the row, then release`,
      );
}

function amongIdentities(
  dialect: SqlDialect,
  match: PlannedMatch,
  texts: readonly string[],
  bind: Bind,
): string {
  const { type, column, path, trim, isLowerIndexed } = match;
  if (path !== null || trim) return dialect.amongMatched(match, texts, bind);
  return ignoresCase(type)
    ? dialect.amongFolded(column, texts, bind, isLowerIndexed)
    : dialect.amongTexts(column, texts, bind);
}

/** Blank texts stand for unknown values: no identity is blank. */
export function namesNobody(text: string): boolean {
  return text.trim() === '';
}
