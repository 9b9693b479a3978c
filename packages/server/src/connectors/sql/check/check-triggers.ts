import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { findCascades } from '../plan/find-cascades.ts';
import type { PlanChange } from '../plan/plan-changes.ts';
import { note, problem, warning } from './line.ts';

type Change = Pick<PlanChange, 'table' | 'event'>;

/** Triggers that the plan fires and that the configuration does not list as reviewed. */
export function checkTriggers(
  work: TablesWork,
  catalogue: Catalogue,
  planned: readonly PlanChange[],
  dialect: Pick<SqlDialect, 'measure'>,
): CheckLine[] {
  const usual = [...meant(work, catalogue), ...planned.filter(({ isRare }) => !isRare)];
  const isUsual = ({ table, event }: Change) =>
    usual.some((one) => one.table === table && one.event === event);
  const found = [...usual, ...planned].flatMap((change) =>
    firedBy(change, catalogue).flatMap(({ name }) => {
      if (!work.triggers.includes(name)) return unlisted(change, name, !isUsual(change));
      return dialect.measure === null ? [] : onlyInserts(change, name);
    }),
  );
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

function firedBy({ table, event }: Change, catalogue: Catalogue) {
  return (catalogue.get(table)?.triggers ?? []).filter(({ events }) => events.includes(event));
}

/** The changes that the configuration describes, whether or not a plan can be made of it. */
function meant(work: TablesWork, catalogue: Catalogue): Change[] {
  const deleted = work.tables
    .filter(({ action }) => action.kind === 'delete')
    .map(({ table }) => table);
  const overwritten = work.tables.filter(({ action }) => action.kind === 'overwrite');
  const cascades = findCascades(catalogue, deleted, work).map(({ key, effect }) => ({
    table: key.table,
    event: effect === 'deleted' ? ('delete' as const) : ('update' as const),
  }));
  return [
    ...(work.detach ?? []).map(({ table }) => ({ table, event: 'update' as const })),
    ...deleted.map((table) => ({ table, event: 'delete' as const })),
    ...overwritten.map(({ table }) => ({ table, event: 'update' as const })),
    ...cascades.filter(({ table }) => work.cascades.includes(table)),
  ];
}

/** Whatever a trigger changes is measured, so of those that fire rarely only the requests that fire them are held. */
function unlisted({ table, event }: Change, name: string, isHeldOnly: boolean): CheckLine {
  const look = `look at what it does (it may copy what is erased), then list it: triggers: [${name}]`;
  return isHeldOnly
    ? warning(
        table,
        `the trigger ${name} fires on ${event}, where rows of ${table} that refer to themselves or to each other are let go: such a request may be held; ${look}`,
      )
    : problem(table, `the trigger ${name} fires on ${event}; ${look}`);
}

function onlyInserts({ table }: Change, name: string): CheckLine {
  const finding = `trigger:${name}`;
  return {
    ...note(
      table,
      `the trigger ${name} may insert rows; if it changes or deletes some, which this database does not tell apart, requests are held until that is accepted with a reason: accept: { "${finding}": "…" }`,
    ),
    finding,
  };
}
