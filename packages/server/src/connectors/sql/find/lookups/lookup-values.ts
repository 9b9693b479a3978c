// The values that a lookup (`resolve`) currently gives for a batch, read in the caller's transaction.
import { Identity } from '../../../../domain/request/identity.ts';
import type { Subject } from '../../../../domain/target/connector.ts';
import type { ResolveConfig, SqlTargetConfig } from '../../../../domain/target/target.ts';
import { holdsNumbers, uuidSpellings, withoutEndZeros } from '../../canonical-value.ts';
import type { ColumnShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import type { Plan, PlannedMatch } from '../../plan/plan.ts';
import { planMisfit } from '../../plan/plan-misfits.ts';
import { columnOf } from '../../plan/planned-where.ts';
import { selectText } from '../../select-rows.ts';
import type { SqlSession } from '../../session.ts';
import { textAt } from '../../statement.ts';
import { createIdentityMatcher, type MatchedTable } from '../match-identities.ts';
import { createIsOwnPlaceholder } from '../own-placeholder.ts';
import { tenantsOf } from '../read-parents.ts';
import { tenantOf } from '../tenants.ts';
import { lookupLeads, planLookup } from './plan-lookup.ts';

export interface LookupContext {
  readonly session: SqlSession;
  readonly dialect: SqlDialect;
  readonly config: SqlTargetConfig;
}

interface PlannedLookup {
  readonly table: MatchedTable;
  readonly plan: Plan;
  readonly match: PlannedMatch;
  readonly to: ColumnShape;
  readonly forShare: string;
}

interface LookupOptions {
  /** Locks the rows that give the values until the end of the transaction, if the account may lock them. */
  readonly isLocked?: boolean;
}

/** Values as stored. If a type is looked up from itself, found values are looked up too, up to the limit. */
export async function lookUpValues(
  context: LookupContext,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
  { isLocked = false }: LookupOptions = {},
): Promise<{ readonly lookup: PlannedLookup; readonly values: readonly ReadonlySet<string>[] }> {
  const lookup = await readLookup(context, resolve);
  const isOwnPlaceholder = createIsOwnPlaceholder(context.config, resolve);
  const values = subjects.map(() => new Set<string>());
  let asked = subjects.map((subject, place) => ({ subject, place }));
  while (asked.length > 0) {
    const sizes = values.map(({ size }) => size);
    const batch = asked.map(({ subject }) => subject);
    for await (const { value, owner } of find(context, lookup, batch, isLocked)) {
      const place = asked[owner]?.place;
      if (place === undefined || value === null || isOwnPlaceholder(value)) continue;
      values[place]?.add(value);
    }
    if (resolve.from.type !== resolve.to.type) break;
    asked = asked.flatMap(({ subject, place }) => {
      const found = values[place] ?? new Set();
      if (found.size === sizes[place] || found.size > resolve.limit) return [];
      const known = new Set(subject.identities.map(nameOf));
      const more = identitiesOf(found, lookup, resolve).filter((one) => !known.has(nameOf(one)));
      if (more.length === 0) return [];
      return [{ place, subject: { ...subject, identities: [...subject.identities, ...more] } }];
    });
  }
  return { lookup, values };
}

/** As stored, even if the API would not accept the value, because other tables hold this form. */
export function identitiesOf(
  values: ReadonlySet<string>,
  { to: column }: Pick<PlannedLookup, 'to'>,
  { to }: ResolveConfig,
): Identity[] {
  const all = [...values].flatMap((value) =>
    holdsNumbers(column) ? [value, withoutEndZeros(value)] : [value, ...uuidSpellings(value)],
  );
  return [...new Set(all)].map((value) => new Identity(to.type, value));
}

async function* find(
  { session, dialect, config }: LookupContext,
  { table, plan, match, to, forShare }: PlannedLookup,
  subjects: readonly Subject[],
  isLocked: boolean,
): AsyncGenerator<FoundValue> {
  const tenants = subjects.map((subject) => tenantOf(config.tenancy, subject));
  const batch = { session, dialect, config, plan, subjects, tenants, isErasing: isLocked };
  const matcher = createIdentityMatcher(session, dialect, config, subjects, (own, rows) =>
    tenantsOf(batch, own, rows),
  );
  const suffix = isLocked ? forShare : '';
  const columns = [selectText(dialect, to, 'v')];
  for await (const { row, owners } of matcher.find(table, match, columns, suffix)) {
    const value = textAt(row, 'v');
    for (const owner of owners) yield { value, owner };
  }
}

interface FoundValue {
  readonly value: string | null;
  readonly owner: number;
}

async function readLookup(
  { session, dialect, config }: LookupContext,
  resolve: ResolveConfig,
): Promise<PlannedLookup> {
  const { table, from, to } = resolve;
  const leads = lookupLeads(config, resolve).map((one) => one.table);
  const schema = await dialect.readSchema(session, [table], leads);
  const { catalogue, lowerIndexed } = schema;
  const shape = catalogue.get(table);
  if (shape === undefined) throw planMisfit(`the table ${table}, of "resolve", is not there`);
  const column = (name: string) => columnOf(shape, name);
  return {
    ...planLookup(config, resolve, schema, dialect),
    match: {
      type: from.type,
      column: column(from.column),
      path: null,
      trim: false,
      isLowerIndexed: lowerIndexed.has(`${table}.${from.column}`),
    },
    to: column(to.column),
    forShare: shape.isLockable === false ? '' : dialect.forShare,
  };
}

export function nameOf(identity: Identity): string {
  return `${identity.type} ${identity.matchKey()}`;
}
