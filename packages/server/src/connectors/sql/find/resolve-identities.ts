// Other identities of the same people, looked up in one table of the target.

import { Identity } from '../../../domain/request/identity.ts';
import type { Resolution, Subject } from '../../../domain/target/connector.ts';
import type { ResolveConfig, SqlTargetConfig } from '../../../domain/target/target.ts';
import { holdsNumbers, uuidSpellings, withoutEndZeros } from '../canonical-value.ts';
import type { ColumnShape } from '../catalogue.ts';
import { quoteTable, type SqlDialect } from '../dialect.ts';
import { runHalving } from '../halve.ts';
import type { PlannedMatch } from '../plan/plan.ts';
import { planMisfit } from '../plan/plan-misfits.ts';
import { columnOf, plannedWhere } from '../plan/planned-where.ts';
import { tenantColumnIn } from '../plan/tenant-column.ts';
import { runReadable } from '../run-readable.ts';
import { selectText } from '../select-rows.ts';
import type { SqlDatabase, SqlSession } from '../session.ts';
import { textAt } from '../statement.ts';
import { createIdentityMatcher, type MatchedTable, refuseTenant } from './match-identities.ts';

interface Lookup {
  readonly table: MatchedTable;
  readonly match: PlannedMatch;
  readonly to: ColumnShape;
}

export interface LookupTarget {
  readonly config: SqlTargetConfig;
  readonly dialect: SqlDialect;
  readonly database: SqlDatabase;
}

/** Where one kind is looked up from itself, what is found leads on: until nothing new is, or the limit is passed. */
export async function resolveIdentities(
  target: LookupTarget,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
): Promise<Resolution[]> {
  const answers = await lookUp(target, resolve, subjects);
  if (resolve.from.type !== resolve.to.type) return answers;
  let known = [...subjects];
  for (;;) {
    const further = answers.flatMap((answer, place) => {
      const subject = known[place];
      if (subject === undefined || answer.outcome !== 'resolved') return [];
      const identities = onceEach([...subject.identities, ...answer.identities]);
      const isMore = identities.length > onceEach(subject.identities).length;
      return isMore ? [{ place, subject: { ...subject, identities } }] : [];
    });
    if (further.length === 0) return answers;
    const more = await lookUp(
      target,
      resolve,
      further.map(({ subject }) => subject),
    );
    known = known.map(
      (subject, place) => further.find((it) => it.place === place)?.subject ?? subject,
    );
    further.forEach(({ place }, at) => {
      const answer = more[at];
      if (answer !== undefined) answers[place] = answer;
    });
  }
}

async function lookUp(
  { config, dialect, database }: LookupTarget,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
): Promise<Resolution[]> {
  const run = (batch: readonly Subject[]) =>
    database.transaction('read', async (session): Promise<Resolution[]> => {
      const lookup = await readLookup(session, dialect, config, resolve);
      const refused = batch.map(
        (subject): Resolution | undefined =>
          refuseForeign(config, subject) ?? refuseTenant(dialect, config, [lookup.table], subject),
      );
      const values = batch.map(() => new Set<string>());
      const matcher = createIdentityMatcher(session, dialect, config, batch);
      const columns = [selectText(dialect, lookup.to, 'v')];
      for await (const { row, owners } of matcher.find(lookup.table, lookup.match, columns, '')) {
        const value = textAt(row, 'v');
        if (value === null) continue;
        for (const owner of owners) values[owner]?.add(value);
      }
      return values.map(
        (found, place) => refused[place] ?? toResolution(found, lookup.to, resolve),
      );
    });
  return runHalving(subjects, run, (subject, failure) =>
    runReadable({ database, dialect }, subject, failure, run),
  );
}

/** Whether a row has one of the looked-up identities that are not the subject's any more. */
export async function namesSomebodyElse(
  { config, dialect, database }: LookupTarget,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
): Promise<boolean[]> {
  return database.transaction('read', async (session) => {
    const { from, to } = resolve;
    const lookup = await readLookup(session, dialect, config, { ...resolve, from: to, to: from });
    const named = subjects.map(() => false);
    const matcher = createIdentityMatcher(session, dialect, config, subjects);
    const columns = [selectText(dialect, lookup.to, 'v')];
    for await (const { owners } of matcher.find(lookup.table, lookup.match, columns, ''))
      for (const owner of owners) named[owner] = true;
    return named;
  });
}

function refuseForeign({ tenancy }: SqlTargetConfig, subject: Subject): Resolution | undefined {
  if (tenancy.way !== 'controller' || tenancy.controllerId === subject.controllerId)
    return undefined;
  return { outcome: 'resolved', identities: [] };
}

async function readLookup(
  session: SqlSession,
  dialect: SqlDialect,
  config: SqlTargetConfig,
  { table, where = {}, from, to }: ResolveConfig,
): Promise<Lookup> {
  const { catalogue, lowerIndexed } = await dialect.readSchema(session, [table]);
  const shape = catalogue.get(table);
  if (shape === undefined) throw planMisfit(`the table ${table}, of "resolve", is not there`);
  const column = (name: string) => columnOf(shape, name);
  const tenant = tenantColumnIn(config, table);
  return {
    table: {
      name: table,
      sqlName: quoteTable(dialect, table),
      tenant: tenant === null ? null : column(tenant),
      where: plannedWhere({ table, where }, shape, config),
    },
    match: {
      type: from.type,
      column: column(from.column),
      path: null,
      trim: false,
      isLowerIndexed: lowerIndexed.has(`${table}.${from.column}`),
    },
    to: column(to.column),
  };
}

function toResolution(
  values: ReadonlySet<string>,
  column: ColumnShape,
  { table, to, limit }: ResolveConfig,
): Resolution {
  if (values.size > limit)
    return {
      outcome: 'held',
      reason: 'too_many_resolved',
      detail: `${table} has more than ${limit} values for this request; add the right ones (unwrite request identify), then release: it continues without those looked up. A higher limit of "resolve" applies to later requests`,
    };
  if ([...values].some(isBlank))
    return {
      outcome: 'held',
      reason: 'ambiguous_reference',
      detail: `a row of this request in ${table} has a blank ${to.column}, which identifies no person; set it to NULL or to its value, then release, which looks it up again`,
    };
  // As they are stored, also what the API would not have taken: that is what other tables hold.
  const all = [...values].flatMap((value) =>
    holdsNumbers(column) ? [value, withoutEndZeros(value)] : [value, ...uuidSpellings(value)],
  );
  return {
    outcome: 'resolved',
    identities: [...new Set(all)].map((value) => new Identity(to.type, value)),
  };
}

function onceEach(identities: readonly Identity[]): Identity[] {
  return [...new Map(identities.map((it) => [`${it.type} ${it.matchKey()}`, it])).values()];
}

/** A blank value is shared by many people, so it identifies no one; skipping it silently could miss rows. */
function isBlank(value: string): boolean {
  return value.trim() === '';
}
