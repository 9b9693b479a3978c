// Two targets on one database: rows that one finds by way of rows that the other erases are not found any more once that one
// has run first.
import type {
  SqlTargetConfig,
  TableConfig,
  TablesWork,
  TargetConfig,
} from '../../domain/target/target.ts';

/** Each target with what others do to the rows that it finds others by. */
export function besideOthers(targets: readonly TargetConfig[]): TargetConfig[] {
  return targets.map((target) => {
    if (!hasTables(target)) return target;
    const others = targets.filter(
      (other) =>
        other !== target && isAtSamePlace(other, target) && sharesController(other, target),
    );
    const lost = target.work.tables.flatMap((entry) =>
      others.filter(hasTables).flatMap((other) => lostBy(entry, target.work, other)),
    );
    return lost.length === 0 ? target : { ...target, lostByOthers: lost };
  });
}

function lostBy(entry: TableConfig, { tables }: TablesWork, other: WithTables) {
  return entry.via.flatMap(({ parent, columns }) => {
    const own = tables.filter(({ table }) => table === parent);
    const needed = [
      ...Object.values(columns),
      ...own.flatMap(({ match }) => match.map(({ column }) => column)),
    ];
    const isLost = other.work.tables.some(
      (theirs) => nameOf(theirs.table) === nameOf(parent) && takesAway(theirs, needed),
    );
    return isLost ? [{ table: entry.table, parent, target: other.name }] : [];
  });
}

function takesAway({ action }: TableConfig, columns: readonly string[]): boolean {
  if (action.kind === 'retain') return false;
  return (
    action.kind === 'delete' || columns.some((column) => Object.hasOwn(action.columns, column))
  );
}

type WithTables = SqlTargetConfig & { readonly work: TablesWork };

const hasTables = (target: TargetConfig): target is WithTables =>
  'work' in target && target.work.kind === 'tables';

/** That is the first part of the digest. */
function isAtSamePlace(one: TargetConfig, other: TargetConfig): boolean {
  return one.planDigest.split('-')[0] === other.planDigest.split('-')[0];
}

function sharesController({ controllers: ours }: TargetConfig, { controllers }: TargetConfig) {
  return ours === null || controllers === null || ours.some((one) => controllers.includes(one));
}

const nameOf = (table: string) => table.slice(table.lastIndexOf('.') + 1).toLowerCase();
