// Triggers of MySQL and MariaDB run as the account that created them. After a dump was restored elsewhere, this
// account may not exist: every change that fires such a trigger is refused.
import type { CheckLine } from '../../domain/target/connector.ts';
import { problem } from '../sql/check/line.ts';
import type { Need, Read } from '../sql/check/probe.ts';
import { SqlFailure, type SqlRow } from '../sql/session.ts';
import { splitTableName } from '../sql/table-name.ts';

const TRIGGERS = `
  SELECT TRIGGER_NAME AS name, EVENT_MANIPULATION AS event, DEFINER AS definer
  FROM information_schema.TRIGGERS
  WHERE EVENT_OBJECT_SCHEMA = coalesce(?, database()) AND EVENT_OBJECT_TABLE = ?`;
const ACCOUNTS = "SELECT concat(User, '@', Host) AS account FROM mysql.user";

/** `triggered`: tables that listed triggers may write to in any way. */
export async function checkDefiners(
  read: Read,
  needs: readonly Need[],
  triggered: readonly string[],
): Promise<CheckLine[]> {
  const events = new Map<string, RegExp>(triggered.map((table) => [table, /./]));
  for (const { table, isDeleted, written } of needs) {
    const own = [...(isDeleted ? ['delete'] : []), ...(written.length > 0 ? ['update'] : [])];
    if (own.length > 0 && !events.has(table)) events.set(table, new RegExp(own.join('|'), 'i'));
  }
  const found: { readonly table: string; readonly row: SqlRow }[] = [];
  for (const [table, event] of events) {
    const { schema, name } = splitTableName(table);
    const rows = await read(TRIGGERS, [schema, name]);
    found.push(
      ...rows.filter((row) => event.test(String(row.event))).map((row) => ({ table, row })),
    );
  }
  if (found.length === 0) return [];
  const accounts = await readAccounts(read);
  return found.flatMap(({ table, row: { name, definer } }) => {
    if (accounts?.has(String(definer)) !== false) return [];
    const at = String(definer).lastIndexOf('@');
    const account = `'${String(definer).slice(0, at)}'@'${String(definer).slice(at + 1)}'`;
    return problem(
      table,
      `the trigger ${name} runs as ${account}, an account that does not exist any more, so every change that fires it is refused; create the account, or make the trigger anew: CREATE OR REPLACE DEFINER = CURRENT_USER TRIGGER ${name} …`,
    );
  });
}

/** Undefined if the account may not see them. */
async function readAccounts(read: Read): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await read(ACCOUNTS)).map(({ account }) => String(account)));
  } catch (error) {
    if (!(error instanceof SqlFailure)) throw error;
    return undefined;
  }
}
