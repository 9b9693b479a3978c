// Evidence counts each row once, and no row that did not go.
import type { Evidence, TaskSummary } from '../../../src/domain/task/task.ts';
import type { System } from '../system/system.ts';
import type { Row } from '../system/world.ts';
import { type Look, PEOPLE, rowsIn, unconfirmedIn } from './look.ts';
import { type Model, Violation } from './model.ts';

export function checkEvidence(model: Model, seen: Look, { world }: System): void {
  const erasedBy = Map.groupBy(
    world.rows.filter(({ gone }) => gone !== undefined),
    ({ target }) => target,
  );
  const claimed = new Map<string, number>();
  const hasLied = new Set<string>();
  for (const task of seen.tasks) {
    const { taskNo, target } = task;
    const isLied = world.lied.has(`${target} ${taskNo}`);
    if (isLied) hasLied.add(target);
    if (task.evidence === null) continue;
    const rows = rowsIn(task.evidence);
    claimed.set(target, (claimed.get(target) ?? 0) + rows);
    const calls = world.calls.filter((call) => call.taskNo === taskNo);
    // What was lied about stays on record, beside the same rows at the address that the target has since.
    const ordered = new Set(
      calls.flatMap(({ place, rowIds }) => rowIds.map((id) => (isLied ? `${place} ${id}` : id))),
    );
    if (rows > ordered.size) {
      throw new Violation(`task ${taskNo} claims ${rows} rows, and ${ordered.size} were ordered`);
    }
    // A person may end a task whose last attempt never said what it had erased.
    if (PEOPLE.includes(task.evidence.action)) continue;
    checkWhole(model, { ...task, evidence: task.evidence }, erasedBy.get(target) ?? [], world.lied);
  }
  for (const [target, rows] of claimed) {
    const gone = (erasedBy.get(target) ?? []).filter((row) => row.gone?.taskNo !== null).length;
    // What was lied about is on record as it was reported.
    if (rows > gone && !hasLied.has(target)) {
      throw new Violation(`evidence claims ${rows} rows at ${target}, and ${gone} were erased`);
    }
  }
}

/** What a task alone has erased is in its evidence, too. */
function checkWhole(
  model: Model,
  { taskNo, target, evidence }: TaskSummary & { readonly evidence: Evidence },
  gone: readonly Row[],
  lied: ReadonlySet<string>,
): void {
  if (lied.has(`${target} ${taskNo}`)) return;
  const own = gone.filter((row) => row.gone?.taskNo === taskNo);
  const first = own[0];
  if (first === undefined) return;
  const name = model.tasks.get(taskNo)?.request;
  const isShared = [...model.requests.values()].some(
    (other) =>
      other.name !== name &&
      other.key.controllerId === first.controllerId &&
      own.some(({ email }) => other.emails.includes(email) || other.emails.length > 1),
  );
  const rows = rowsIn(evidence) + unconfirmedIn(evidence);
  if (!isShared && rows < own.length) {
    throw new Violation(`task ${taskNo} says ${rows} rows, and has erased ${own.length}`);
  }
}
