// Why a table is not in the plan.
import type { Catalogue } from '../catalogue.ts';
import { type ColumnSigns, looksPersonal, signsOf } from './column-signs.ts';
import { type FoundReference, findPairs } from './find-references.ts';
import type { TenantColumn } from './find-tenant-column.ts';
import { type PeopleTable, remarkContents, remarkPair } from './remarks.ts';
import type { TableRemark } from './suggested-plan.ts';
import { isOrganisationTable } from './table-signs.ts';

interface Known {
  readonly catalogue: Catalogue;
  readonly references: readonly FoundReference[];
  readonly people: readonly PeopleTable[];
  readonly tenant: TenantColumn | undefined;
}

/** `isUnclear`: it may well hold personal data. */
export function remarkOn(table: string, known: Known): TableRemark & { isUnclear: boolean } {
  const { catalogue, references, people } = known;
  const shape = catalogue.get(table);
  if (shape === undefined || shape.columns.size === 0)
    return { table, text: 'the account cannot see its columns', isUnclear: true };
  const signs = signsOf(shape);
  if (looksPersonal(signs)) return { table, text: whyNot(table, signs, known), isUnclear: true };
  const [pair] = findPairs(shape, catalogue);
  if (pair !== undefined) return { table, ...remarkPair(pair, people), isUnclear: true };
  const contents = remarkContents(signs);
  if (contents.length > 0)
    return { table, text: contents.map(({ text }) => text).join('; '), isUnclear: true };
  const acted = references.filter((it) => it.table === table && it.sense === 'acted');
  if (acted.length > 0) {
    const names = acted.flatMap(({ columns }) => Object.keys(columns)).join(', ');
    return { table, text: `no personal data; ${names} says who acted`, isUnclear: false };
  }
  const text = 'no column looks like personal data, and none refers to such a table';
  return { table, text, isUnclear: false };
}

function whyNot(table: string, signs: ColumnSigns, { references, tenant }: Known): string {
  const has = `has ${[...signs.emails, ...signs.strong, ...signs.weak].join(', ')}`;
  const isTenants = references.some(
    ({ parent, columns }) => parent === table && Object.keys(columns).join() === tenant?.column,
  );
  return isTenants || isOrganisationTable(table)
    ? `${has}, but seems to be an organisation: everything below it would go with it`
    : `${has}, but no way from an identity to its rows was found`;
}
