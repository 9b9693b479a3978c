// Foreign keys that change rows of tables which the plan does not name: all in one line, with one list to paste.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../../catalogue.ts';
import { looksPersonal, signsOf } from '../../personal/column-signs.ts';
import { detachableColumn } from '../../plan/detached-columns.ts';
import type { Cascade } from '../../plan/find-cascades.ts';
import { listNames, problem } from '../line.ts';
import { detachList } from './check-referring.ts';

export function findingOf({ key, effect }: Cascade): string {
  const does = effect === 'deleted' ? 'deletes rows of' : 'changes rows of';
  return `deleting from ${key.referenced} also ${does} ${key.table} (foreign key ${key.name}, ${written(key.onDelete)})`;
}

/** `unnamed`: cascades into such tables. */
export function checkUnnamed(
  unnamed: readonly Cascade[],
  work: TablesWork,
  catalogue: Catalogue,
): CheckLine[] {
  const leads = new Map((work.leads ?? []).map((lead) => [lead.table, lead]));
  const open = unnamed
    .filter(({ key }) => !work.cascades.includes(key.table) && !leads.has(key.referenced))
    .map((cascade) => {
      const { key, effect } = cascade;
      const column = effect === 'changed' ? detachableColumn(key, catalogue) : undefined;
      const lead = leads.get(key.table);
      // What says whose others' rows are may not become NULL.
      const isTenant = lead?.tenant?.some(
        ({ columns }) => column !== undefined && column in columns,
      );
      return {
        ...cascade,
        column,
        isLed: lead !== undefined && (column === undefined || isTenant),
      };
    });
  const reached = open.filter(({ column, isLed }) => column === undefined && !isLed);
  const detached = open.filter(({ column, isLed }) => column !== undefined && !isLed);
  return [
    ...[...leads.keys()].flatMap((table) => {
      const led = open.filter(({ key, isLed }) => isLed && key.table === table);
      const parents = led.map(({ key }) => key.referenced);
      return parents.length === 0 ? [] : [changedLead(table, [...new Set(parents)])];
    }),
    ...inOneLine(
      reached.map((one) => ({
        ...one,
        listed: one.key.table,
        isPersonal: isPersonal(one.key.table, catalogue),
      })),
      {
        list: 'cascades',
        before: work.cascades,
        one: 'list it',
        found: 'deleting also deletes or changes rows',
        remedy: 'put those with data of the person into "tables", and list the others',
      },
    ),
    ...inOneLine(
      detached.map((one) => ({ ...one, listed: `${one.key.table}.${one.column}` })),
      {
        list: 'detach',
        before: detachList(work, catalogue),
        one: 'list the column',
        found: 'deleting also sets references to NULL, in rows',
        remedy: 'list the columns',
      },
    ),
  ];
}

function changedLead(table: string, parents: readonly string[]): CheckLine {
  return problem(
    table,
    `deleting from ${listNames(parents)} also changes its rows by a foreign key, and the plan only reads them (action: lead); say what happens to them: give it an entry that finds them, or overwrite ${listNames(parents)} instead of deleting`,
  );
}

interface Listed extends Cascade {
  /** What is listed, if that is meant. */
  readonly listed: string;
  /** To list it would not do: the check wants such tables among "tables", or ignored. */
  readonly isPersonal?: boolean;
}

function isPersonal(table: string, catalogue: Catalogue): boolean {
  const shape = catalogue.get(table);
  return shape !== undefined && looksPersonal(signsOf(shape));
}

function inOneLine(
  cascades: readonly Listed[],
  words: Record<'list' | 'one' | 'found' | 'remedy', string> & { before: readonly string[] },
): CheckLine[] {
  const { list, before, one, found, remedy } = words;
  const names = [...new Set(cascades.map(({ listed }) => listed))];
  const personal = [...new Set(cascades.flatMap((it) => (it.isPersonal ? it.listed : [])))];
  const all = [...new Set([...before, ...names.filter((name) => !personal.includes(name))])];
  const paste = `${list}: [${all.join(', ')}]`;
  if (names.length < 2) {
    const messages = cascades.map(
      (cascade) =>
        `${findingOf(cascade)}, which the plan does not name; ${personal.length > 0 ? `it looks personal: give it an entry in "tables", or list it in ${list} and under "ignore" with a reason` : `if that is meant, ${one}: ${paste}`}`,
    );
    const table = cascades[0]?.key.table ?? '';
    return [...new Set(messages)].map((message) => problem(table, message));
  }
  const told = names.map((name) => {
    const own = cascades.filter(({ listed }) => listed === name);
    return `${name} (with ${[...new Set(own.map(({ key }) => key.referenced))].join(', ')})`;
  });
  return [
    {
      ...problem(
        list,
        `${found} of tables that the plan does not name: ${told.join(', ')}; ${personal.length > 0 ? `give those that look personal an entry in "tables" (${personal.join(', ')}), or list them too and "ignore" them with a reason; ` : ''}if that is meant, ${remedy}: ${paste}`,
      ),
      tables: cascades.map(({ key }) => key.table),
    },
  ];
}

function written(action: ForeignKey['onDelete']): string {
  return `ON DELETE ${action.replace('_', ' ').toUpperCase()}`;
}
