// Every first page and number of the console, as its API asks for them.
import type { OperatorViews } from '../../../src/domain/operator/view-ports.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';

const DAY = 86_400_000;
const RELEASE = {
  target: 'none',
  held: { isIn: false, reasons: ['manual'] },
  failed: { isIn: true, reasons: ['over_cap'] },
};

export function everyView(views: OperatorViews, now: number): [string, () => Promise<unknown>][] {
  const limit = 50;
  const rare = 'rare' as ControllerId;
  const day = Math.floor(now / DAY);
  const days = { from: day - 30, until: day };
  const month = Array.from({ length: 30 }, (_, left) => ({
    from: now - (30 - left) * DAY,
    until: now - (29 - left) * DAY,
  }));
  const attention = {
    now,
    cancellationWindowMs: 14 * DAY,
    maxStartsPerDay: null,
    patientTargets: [],
    limit: 1000,
  };
  return [
    ['requests', () => views.requests({ limit })],
    ['pending', () => views.requests({ limit, status: 'pending' })],
    ['in progress', () => views.requests({ limit, status: 'in_progress' })],
    ['completed', () => views.requests({ limit, status: 'completed' })],
    ['cancelled', () => views.requests({ limit, status: 'cancelled' })],
    ['of a controller', () => views.requests({ limit, controllerId: rare })],
    [
      'of a controller, completed',
      () => views.requests({ limit, controllerId: rare, status: 'completed' }),
    ],
    [
      'of a controller, pending',
      () => views.requests({ limit, controllerId: rare, status: 'pending' }),
    ],
    ['of a regulation', () => views.requests({ limit, regulation: 'ccpa' })],
    [
      'of a day',
      () => views.requests({ limit, receivedFrom: now - 20 * DAY, receivedUntil: now - 19 * DAY }),
    ],
    ['further back', () => views.requests({ limit, after: { time: null, requestNo: 1000 } })],
    ['tasks', () => views.tasks({ limit })],
    ['held', () => views.tasks({ limit, state: 'held' })],
    ['failed', () => views.tasks({ limit, state: 'failed' })],
    ['running', () => views.tasks({ limit, state: 'running' })],
    ['at a target', () => views.tasks({ limit, target: 'none' })],
    ['of a controller, held', () => views.tasks({ limit, state: 'held', controllerId: rare })],
    ['open tasks', () => views.openTasks([1, 2, 3])],
    ['attention', () => views.attention(attention)],
    ['attention of a controller', () => views.attention({ ...attention, controllerId: rare })],
    ['attention of a kind', () => views.attention({ ...attention, only: RELEASE })],
    [
      'attention of a kind, of a controller',
      () => views.attention({ ...attention, only: RELEASE, controllerId: rare }),
    ],
    ['open requests', () => views.openRequests()],
    ['totals', () => views.totals()],
    ['near deadlines', () => views.nearDeadlines()],
    ['open by span', () => views.openBySpan(month)],
    ['backlogs', () => views.backlogs()],
    ['daily counts', () => views.dailyCounts(['starts', 'completed'], days)],
    ['arrivals', () => views.arrivals(days)],
    ['completion times', () => views.completionTimes(days)],
    ['audit', () => views.audit({ limit })],
    ['audit by action', () => views.audit({ limit, action: 'task.retained' })],
    ['audit by an operator', () => views.audit({ limit, actor: 'operator:olga' })],
    ['audit of a day', () => views.audit({ limit, since: now - 20 * DAY, until: now - 19 * DAY })],
    ['alarms', () => views.alarms({ limit })],
    ['alarms of a kind', () => views.alarms({ limit, kind: 'daily_rows' })],
    ['alarms of a target', () => views.alarms({ limit, target: 'none' })],
    [
      'alarms of today',
      () => views.alarms({ limit, raisedAfter: now - DAY, notAboutOneRequest: true }),
    ],
    ['controllers', () => views.controllers({ limit })],
    ['changes', async () => views.changes((await views.changes()).seen)],
  ];
}
