// Each change of state is in the audit log once: what was recorded twice would be there twice.
import type { AuditAction } from '../../../src/domain/audit/audit-row.ts';
import type { System } from '../system/system.ts';
import type { Look } from './look.ts';
import { type Model, Violation } from './model.ts';

const ENDS: readonly AuditAction[] = ['task.erased', 'task.retained', 'task.confirmed'];

/** When all requests have ended, and before any is forgotten. */
export async function checkAudit(model: Model, seen: Look, system: System): Promise<void> {
  for (const { name, key, isCancelled, startsAgain } of model.requests.values()) {
    const { controllerId, subjectRequestId } = key;
    const rows = await system.store().catalogue.auditOf(controllerId, subjectRequestId);
    const times = (...actions: readonly AuditAction[]) =>
      rows.filter(({ action }) => actions.includes(action)).length;
    const ended = (seen.tasksOf.get(name) ?? []).length;
    const expected = {
      'request.cancelled': [times('request.cancelled'), isCancelled ? 1 : 0],
      'request.started': [times('request.started'), isCancelled ? 0 : startsAgain ? 2 : 1],
      'request.completed': [times('request.completed'), isCancelled ? 0 : 1],
      'ends of tasks': [times(...ENDS), ended],
    } as const;
    for (const [what, [found, wanted]] of Object.entries(expected)) {
      if (found === wanted) continue;
      throw new Violation(`${what} of ${name}: ${found} times in the audit log, not ${wanted}`);
    }
  }
}
