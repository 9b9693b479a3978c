// Finds the rows of a table that match identities of a batch: the statement returns candidates, this code
// decides.

import { Identity, ignoresCase } from '../../../domain/request/identity.ts';
import type { Subject } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import { canonicalUuid, holdsNumbers, withoutEndZeros } from '../canonical-value.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Bind, Selected, SqlDialect } from '../dialect.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedMatch } from '../plan/plan.ts';
import type { PlannedWhere } from '../plan/where-values.ts';
import { selectRows, selectText } from '../select-rows.ts';
import type { SqlRow, SqlSession } from '../session.ts';
import { inChunks, textAt } from '../statement.ts';
import { type Doubt, doubtOf, readMatched, selectMatched } from './matched-value.ts';
import { isTenant, refuseSpelt, tenantOf, tenantTexts } from './tenants.ts';
import { isInside, selectWhere, whereSql } from './where-rows.ts';

/** The table to search, which may also be one that is only used for lookups. */
export interface MatchedTable {
  readonly name: string;
  readonly sqlName: string;
  readonly tenant: ColumnShape | null;
  readonly where: readonly PlannedWhere[];
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

  async function* candidates(
    table: MatchedTable,
    match: PlannedMatch,
    columns: readonly Selected[],
    suffix: string,
    among: (bind: Bind) => string,
  ): AsyncGenerator<{ row: SqlRow; isOf: (place: number) => boolean }> {
    const { tenant } = table;
    const select = [...columns, selectMatched(dialect, match, 'm'), ...selectWhere(dialect, table)];
    if (tenant !== null) select.push(selectText(dialect, tenant, 't'));
    const rows = await selectRows(session, dialect, select, (list, bind) => {
      // If placeholders have no numbers, values are bound in the order of the text.
      const where = whereSql(dialect, table, bind);
      const mine =
        tenant === null
          ? ''
          : `${dialect.amongTexts(tenant, tenantTexts(tenant, tenants), bind)} AND `;
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${where}${mine}${among(bind)}${suffix}`;
    });
    const isOf = (row: SqlRow) => (place: number) =>
      tenant === null || isTenant(tenant, textAt(row, 't'), tenants[place]);
    for (const row of rows) if (isInside(table, row)) yield { row, isOf: isOf(row) };
  }

  return {
    async *find(table, match, columns, suffix) {
      const places = wanted(match);
      const own = (row: SqlRow): readonly number[] => {
        const text = readMatched(match, textAt(row, 'm'));
        if (text === null) return [];
        const owners = storedTexts(match, text).flatMap((one) => places.get(one) ?? []);
        return [...new Set(owners)];
      };
      const ownersOf = (row: SqlRow, isOf: (place: number) => boolean): number[] => {
        const people = own(row);
        const owners = people.filter(isOf);
        // The database has compared the tenants too.
        if (people.length > 0 && owners.length === 0)
          refuseSpelt(config.tenancy, tenants, table, row);
        return owners;
      };
      for (const texts of inChunks([...places.keys()], dialect.maxValues)) {
        const among = (bind: Bind) => amongIdentities(dialect, match, texts, bind);
        for await (const { row, isOf } of candidates(table, match, columns, suffix, among)) {
          refuseDoubtful(table, match, textAt(row, 'm'), places, isOf);
          const owners = ownersOf(row, isOf);
          if (owners.length > 0) yield { row, owners };
        }
      }
      const { column, path } = match;
      if (path === null || places.size === 0) return;
      if (dialect.mayMiss(column, path, () => '') === null) return;
      const missed = (bind: Bind) => dialect.mayMiss(column, path, bind) ?? '';
      for await (const { row, isOf } of candidates(table, match, columns, '', missed)) {
        refuseDoubtful(table, match, textAt(row, 'm'), places, isOf);
        const owners = ownersOf(row, isOf);
        if (owners.length > 0) yield { row, owners };
      }
    },
  };
}

const DOUBTS: Readonly<Record<Doubt['reason'], string>> = {
  unreadable: 'which is no JSON that can be read',
  twice:
    'where a name of the path is in one object twice, and some readers take the first, others the last',
  encoded: 'in JSON that is written into the document as a text (encoded twice)',
};

/** A document that does not say whose it is may be the person's if it contains their identity. */
function refuseDoubtful(
  { name }: MatchedTable,
  match: PlannedMatch,
  read: string | null,
  places: ReadonlyMap<string, readonly number[]>,
  isOf: (place: number) => boolean,
): void {
  const doubt = doubtOf(match, read, {
    part: (text) => matchText({ ...match, trim: false }, text),
    whole: (text) => matchText(match, text),
  });
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
