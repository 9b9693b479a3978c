// Smaller cases of several targets than a given one.
import type { DeclaredTable } from '../generated-case.ts';
import { keepConstraints } from '../make/keep-constraints.ts';
import { QUIET_RUN, type SeveralCase, type SeveralTarget, type Step } from './several-case.ts';

export function* smallerSeveral(from: SeveralCase): Generator<SeveralCase> {
  for (const steps of without(from.steps)) yield { ...from, steps };
  for (const [at, step] of from.steps.entries())
    for (const simpler of simplerSteps(step))
      yield { ...from, steps: from.steps.with(at, simpler) };
  for (const targets of without(from.targets)) yield tidy({ ...from, targets });
  for (const [at, target] of from.targets.entries())
    for (const simpler of simplerTargets(target))
      yield tidy({ ...from, targets: from.targets.with(at, simpler) });
  yield* fewerTables(from);
  for (const { name } of from.tables)
    for (const rows of without(from.rows[name] ?? []))
      yield tidy({ ...from, rows: { ...from.rows, [name]: rows } });
  for (const [at, table] of from.tables.entries()) {
    const replace = (changed: typeof table) =>
      tidy({ ...from, tables: from.tables.with(at, changed) });
    if (table.place > 0) yield tidy(onOnePlace(from));
    for (const unique of without(table.unique)) yield replace({ ...table, unique });
    for (const references of without(table.references)) yield replace({ ...table, references });
  }
  for (const [at, request] of from.requests.entries())
    for (const identities of without(request.identities))
      if (identities.length > 0)
        yield { ...from, requests: from.requests.with(at, { ...request, identities }) };
}

function* without<T>(items: readonly T[]): Generator<T[]> {
  for (const at of items.keys()) yield items.filter((_, index) => index !== at);
}

function onOnePlace(from: SeveralCase): SeveralCase {
  return {
    ...from,
    tables: from.tables.map((table) => ({ ...table, place: 0 })),
    targets: from.targets.map((target) => ({ ...target, place: 0 })),
  };
}

function* simplerSteps(step: Step): Generator<Step> {
  if (step.does === 'change') {
    for (const changes of without(step.changes)) yield { ...step, changes };
  }
  if (step.does !== 'run') return;
  if (step.fault !== 'none') yield { ...step, fault: QUIET_RUN.fault };
  if (step.meanwhile !== null) yield { ...step, meanwhile: null };
  for (const between of without(step.between)) yield { ...step, between };
  for (const afterwards of without(step.afterwards)) yield { ...step, afterwards };
  if (step.pick > 0) yield { ...step, pick: 0 };
}

function* simplerTargets(target: SeveralTarget): Generator<SeveralTarget> {
  const { configuration } = target;
  const replace = (changes: Partial<typeof configuration>): SeveralTarget => ({
    ...target,
    configuration: { ...configuration, ...changes },
  });
  if (target.isByHand) yield { ...target, isByHand: false };
  if (target.after.length > 0) yield { ...target, after: [] };
  if (configuration.resolve !== null) yield replace({ resolve: null });
  for (const tables of without(configuration.tables))
    if (tables.length > 0) yield replace({ tables });
  if (target.isByHand) return;
  for (const [at, entry] of configuration.tables.entries())
    for (const simpler of simplerEntries(entry))
      yield replace({ tables: configuration.tables.with(at, simpler) });
  if (configuration.tenancy.way === 'column') yield replace({ tenancy: { way: 'none' } });
}

function* simplerEntries(entry: DeclaredTable): Generator<DeclaredTable> {
  if (entry.action !== 'delete') yield { ...entry, action: 'delete' };
  if (Object.keys(entry.where).length > 0) yield { ...entry, where: {} };
  if (entry.shared !== 'hold') yield { ...entry, shared: 'hold' };
  const types = Object.entries(entry.match);
  if (types.length > 1)
    for (const match of without(types)) yield { ...entry, match: Object.fromEntries(match) };
}

function* fewerTables(from: SeveralCase): Generator<SeveralCase> {
  for (const { name } of from.tables) {
    const isUsed = from.targets.some(
      ({ configuration: { tables, resolve, cascades } }) =>
        resolve?.table === name ||
        cascades.includes(name) ||
        tables.some(({ table }) => table === name),
    );
    if (!isUsed) yield tidy({ ...from, tables: from.tables.filter((one) => one.name !== name) });
  }
}

/** Without anything that names what is not there any more. */
function tidy(from: SeveralCase): SeveralCase {
  const isThere = (name: string) => from.tables.some((table) => table.name === name);
  const isTarget = (name: string) => from.targets.some((target) => target.name === name);
  const tables = from.tables.map((table) => ({
    ...table,
    references: table.references.filter(({ parent }) => isThere(parent)),
  }));
  return {
    ...from,
    tables,
    rows: keepConstraints(from.database, tables, from.rows),
    targets: from.targets.map((target) => {
      const { configuration } = target;
      const listed = configuration.tables;
      const isListed = (name: string) => listed.some(({ table }) => table === name);
      return {
        ...target,
        after: target.after.filter(isTarget),
        configuration: {
          ...configuration,
          tables: listed.filter(({ via }) => via.every(({ parent }) => isListed(parent))),
          cascades: configuration.cascades.filter((name) =>
            tables.some((table) => table.name === name && table.references.length > 0),
          ),
        },
      };
    }),
  };
}
