// The overview: what needs a decision, the nearest deadline, and the state of requests and targets.
import type { DatedCertificate } from '../../domain/certificate/validity.ts';
import { isSandboxStore } from '../../domain/store/sandbox.ts';
import type { Store } from '../../domain/store/store.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { alarmShape } from '../alarm-shape.ts';
import { isoTime } from '../iso-time.ts';
import type { AttentionSettings } from '../request/list-attention.ts';
import { pauseShape } from '../target/pauses.ts';
import { targetStates } from '../target/target-lines.ts';
import { attentionGroups, readAttention } from './attention.ts';
import { certificateShape } from './certificate.ts';
import { readDeadlines } from './deadlines.ts';
import { readFirstSteps } from './first-steps.ts';

/** Most items counted of each kind of trouble; above it the count is marked as capped. */
const MAX_ITEMS_COUNTED = 1000;
const MAX_ALARMS = 20;

export async function readOverview(
  store: Pick<
    Store,
    'views' | 'clock' | 'tenants' | 'tasks' | 'pauses' | 'restores' | 'ownSecrets'
  >,
  settings: AttentionSettings,
  certificate: DatedCertificate | undefined,
) {
  const { views, pauses, restores } = store;
  const now = store.clock();
  const { items, capped } = await readAttention(store, settings, { limit: MAX_ITEMS_COUNTED });
  const open = await views.openRequests();
  const totals = await views.totals();
  const query = { raisedAfter: now - DAY_MS, notAboutOneRequest: true, limit: MAX_ALARMS };
  const alarms = await views.alarms(query);
  return {
    now: isoTime(now),
    paused: (await pauses.list()).map(pauseShape),
    restore_open: (await restores.state()).openNo !== null,
    sandbox: await isSandboxStore(store.ownSecrets),
    certificate: certificateShape(certificate, now),
    attention: { total: items.length, capped, groups: attentionGroups(items, capped) },
    deadlines: await readDeadlines(views, now),
    requests: {
      pending: open.pending.count,
      in_progress: open.in_progress.count,
      completed: totals.get('completed') ?? 0,
      cancelled: totals.get('cancelled') ?? 0,
      capped: (['pending', 'in_progress'] as const).filter((status) => open[status].capped),
    },
    targets: await targetStates(store, settings.targets),
    alarms: alarms.items.map(alarmShape),
    first_steps: await readFirstSteps(store, settings.targets),
  };
}
