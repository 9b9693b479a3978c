import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { findCascades } from '../plan/find-cascades.ts';
import { fires, type PlanChange } from '../plan/plan-changes.ts';
import { note, problem, warning } from './line.ts';

type Change = Omit<PlanChange, 'isRare'>;

/** Triggers that the plan fires and that the configuration does not list as reviewed. */
export function checkTriggers(
  work: TablesWork,
  catalogue: Catalogue,
  planned: readonly PlanChange[],
  dialect: Pick<SqlDialect, 'measure'>,
): CheckLine[] {
  const usual = [...meant(work, catalogue), ...planned.filter(({ isRare }) => !isRare)];
  const listed = new Set(work.triggers);
  const firing = distinct(firedBy(usual, catalogue));
  const seldom = distinct(firedBy(planned, catalogue)).filter(
    ({ name, table }) => !firing.some((one) => one.name === name && one.table === table),
  );
  const found = [
    ...unlisted(
      firing.filter(({ name }) => !listed.has(name)),
      work,
    ),
    ...seldom.filter(({ name }) => !listed.has(name)).map(firesRarely),
    ...(dialect.measure === null
      ? []
      : [...firing, ...seldom].filter(({ name }) => listed.has(name)).map(onlyInserts)),
  ];
  const known = new Set(
    [...catalogue.values()].flatMap(({ triggers }) => triggers.map(({ name }) => name)),
  );
  const idle = work.triggers
    .filter((name) => !known.has(name))
    .map((name) =>
      note(name, 'is listed under "triggers", but no table of the plan has it; remove the entry'),
    );
  return [
    ...new Map([...found, ...idle].map((line) => [line.subject + line.message, line])).values(),
  ];
}

interface FiringTrigger {
  readonly name: string;
  readonly table: string;
  readonly event: Change['event'];
}

function firedBy(changes: readonly Change[], catalogue: Catalogue): FiringTrigger[] {
  return changes.flatMap((change) => {
    const { table, event } = change;
    const shape = catalogue.get(table);
    return (shape?.triggers ?? [])
      .filter((trigger) => fires(trigger, change, shape))
      .map(({ name }) => ({ name, table, event }));
  });
}

const distinct = (firing: readonly FiringTrigger[]): FiringTrigger[] => [
  ...new Map(firing.map((one) => [`${one.name}\0${one.table}\0${one.event}`, one])).values(),
];

/** The changes that the configuration describes, whether or not a plan can be made of it. */
function meant(work: TablesWork, catalogue: Catalogue): Change[] {
  const deleted = work.tables
    .filter(({ action }) => action.kind === 'delete')
    .map(({ table }) => table);
  const overwritten = work.tables.flatMap(({ table, action }) =>
    action.kind === 'overwrite' ? [{ table, action }] : [],
  );
  const updated = (table: string, columns: readonly string[]): Change => ({
    table,
    event: 'update',
    columns,
  });
  const cascades = findCascades(catalogue, deleted, work).map(({ key, effect }) => ({
    table: key.table,
    event: effect === 'deleted' ? ('delete' as const) : ('update' as const),
    columns: key.columns,
  }));
  return [
    ...(work.detach ?? []).map(({ table, column }) => updated(table, [column])),
    ...deleted.map((table) => ({ table, event: 'delete' as const, columns: [] })),
    ...overwritten.map(({ table, action }) => updated(table, Object.keys(action.columns))),
    ...cascades.filter(({ table }) => work.cascades.includes(table)),
  ];
}

/** All in one line, with one list to paste. */
function unlisted(firing: readonly FiringTrigger[], { triggers }: TablesWork): CheckLine[] {
  const [first] = firing;
  if (first === undefined) return [];
  const names = [...new Set(firing.map(({ name }) => name))];
  if (names.length === 1)
    return firing.map(({ table, event, name }) =>
      problem(table, `the trigger ${name} fires on ${event}; ${listIt([name])}`),
    );
  const told = firing.map(({ name, table, event }) => `${name} on ${event} of ${table}`);
  return [
    problem(
      'triggers',
      `${told.join(', ')} fire; ${listIt([...new Set([...triggers, ...names])])}`,
    ),
  ];
}

/** Whatever a trigger changes is measured, so of those that fire rarely only the requests that fire them are held. */
function firesRarely({ table, event, name }: FiringTrigger): CheckLine {
  return warning(
    table,
    `the trigger ${name} fires on ${event}, where rows of ${table} that refer to themselves or to each other are let go: such a request may be held; ${listIt([name])}`,
  );
}

const listIt = (names: readonly string[]): string =>
  names.length === 1
    ? `look at what it does (it may copy what is erased), then list it: triggers: [${names.join()}]`
    : `look at what each does (it may copy what is erased), then list them: triggers: [${names.join(', ')}]`;

function onlyInserts({ table, name }: FiringTrigger): CheckLine {
  const finding = `trigger:${name}`;
  return {
    ...note(
      table,
      `the trigger ${name} may insert rows; if it changes or deletes some, which this database does not tell apart, requests are held until that is accepted with a reason: accept: { "${finding}": "…" }`,
    ),
    finding,
  };
}
