// Whether foreign keys and triggers let the rows of a request go, without touching any others that are not allowed.
import { entryOf, type Snapshot } from '../declared-world.ts';
import type {
  Configuration,
  GeneratedCase,
  GeneratedRequest,
  Reference,
  Row,
  Table,
} from '../generated-case.ts';
import { knows } from '../grammar.ts';
import { isReferredTo } from '../make/keep-constraints.ts';
import { tenancyOfDetached } from './detached-tenants.ts';
import type { Ownership } from './model.ts';

type Going = Map<string, Set<string>>;

interface Referring {
  readonly child: Table;
  readonly reference: Reference;
  readonly rid: string;
  readonly row: Row;
}

export function canBeDeleted(
  generated: Pick<GeneratedCase, 'database' | 'tables' | 'requests'>,
  configuration: Configuration,
  { claims }: Pick<Ownership, 'claims'>,
  rows: Snapshot,
  request: GeneratedRequest,
): boolean {
  const { tables } = generated;
  const world = { ...generated, configuration };
  const areKnown = tables
    .filter(({ name }) => configuration.cascades.includes(name))
    .every(({ triggers }) => triggers.every(({ name }) => configuration.triggers.includes(name)));
  if (!areKnown) return false;
  const going: Going = new Map();
  for (const [table, ofTable] of claims) {
    const own = [...ofTable].filter(
      ([rid, claim]) =>
        claim === 'own' && isDeleted(configuration, table, rows.get(table)?.get(rid)),
    );
    going.set(table, new Set(own.map(([rid]) => rid)));
    const triggers = tables.find(({ name }) => name === table)?.triggers ?? [];
    const areHarmless = triggers.every(
      ({ name, does }) => configuration.triggers.includes(name) && does === 'nothing',
    );
    if (own.length > 0 && !areHarmless) return false;
  }
  // Rows that go by a cascade take others with them.
  for (;;) {
    const before = sizeOf(going);
    for (const referring of referringTo(generated, going, rows)) {
      const { child, rid, row } = referring;
      // Of another tenant, it is held.
      const isListed = configuration.cascades.includes(child.name);
      const isOthers =
        isListed && tenancyOfDetached(world, rows, child.name, row, request) !== 'free';
      if (isOthers && !going.get(child.name)?.has(rid)) return false;
      if (!mayLose(configuration, going, referring)) return false;
    }
    if (sizeOf(going) === before) return true;
  }
}

const sizeOf = (going: Going) => [...going.values()].reduce((sum, { size }) => sum + size, 0);

const isDeleted = (configuration: Configuration, table: string, row: Row | undefined) =>
  row !== undefined && entryOf({ configuration }, table, row)?.action === 'delete';

function* referringTo(
  { database, tables }: Pick<GeneratedCase, 'database' | 'tables'>,
  going: Going,
  rows: Snapshot,
): Generator<Referring> {
  for (const child of tables) {
    for (const reference of child.references) {
      const { parent, pairs, onDelete } = reference;
      if (onDelete === null) continue;
      for (const [rid, row] of rows.get(child.name) ?? []) {
        const isHit = [...(going.get(parent) ?? [])].some((above) => {
          const found = rows.get(parent)?.get(above);
          return (
            found !== undefined &&
            isReferredTo(database, tables, child.name, row, parent, found, pairs)
          );
        });
        if (isHit) yield { child, reference, rid, row };
      }
    }
  }
}

/** A row that refers to one that goes; where it goes with it, it is added to those. */
function mayLose(
  configuration: Configuration,
  going: Going,
  { child, reference, rid, row }: Referring,
): boolean {
  const { parent, pairs, onDelete } = reference;
  if (going.get(child.name)?.has(rid)) {
    const order = configuration.tables.map(({ table }) => table);
    const isBefore = order.indexOf(child.name) < order.indexOf(parent);
    return knows('shapes') || isBefore || onDelete === 'CASCADE';
  }
  if (pairs.some((pair) => configuration.detach.includes(`${child.name}.${pair.child}`))) {
    return true;
  }
  if (knows('shapes') && isEmptied(configuration, child.name, row, reference)) return true;
  if (onDelete === 'NO ACTION' || onDelete === 'RESTRICT') return false;
  if (!configuration.cascades.includes(child.name)) return false;
  if (child.triggers.length > 0) return false;
  if (onDelete === 'CASCADE') {
    going.set(child.name, (going.get(child.name) ?? new Set()).add(rid));
  }
  return true;
}

/** The configuration overwrites the reference with NULL, where the row is the person's. */
function isEmptied(
  configuration: Configuration,
  table: string,
  row: Row,
  { pairs, onDelete }: Reference,
): boolean {
  const action = entryOf({ configuration }, table, row)?.action;
  if (typeof action !== 'object' || onDelete === 'CASCADE') return false;
  return pairs.some(({ child }) => action.overwrite[child] === null);
}
