// What needs attention, grouped by what to do about it.
import type { AttentionItem } from '../../domain/operator/view-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import { attentionTargets } from '../../domain/task/attention-targets.ts';
import type { AttentionFilter } from '../../domain/task/operator-ports.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { taskEtag } from '../etag.ts';
import { isoTime } from '../iso-time.ts';
import { type AttentionSettings, nearestDeadline } from '../request/list-attention.ts';
import { reasonsFor, TITLES, WHAT_TO_DO, type WhatToDo, whatToDo } from './what-to-do.ts';

const MAX_SHOWN = 5;

interface WantedAttention {
  readonly controller?: string | undefined;
  readonly what?: WhatToDo | undefined;
  readonly reason?: string | undefined;
  readonly target?: string | undefined;
  /** Most items of each kind of trouble. */
  readonly limit: number;
}

export async function readAttention(
  store: Pick<Store, 'views' | 'clock' | 'tenants'>,
  { cancellationWindow, maxStartsPerDay, targets }: AttentionSettings,
  { controller, limit, ...wanted }: WantedAttention,
) {
  const controllerId = await controllerOf(controller, store.tenants);
  const now = store.clock();
  const { items, capped } = await store.views.attention({
    now,
    cancellationWindowMs: cancellationWindow * 1000,
    maxStartsPerDay,
    ...attentionTargets(targets, now),
    limit,
    ...(controllerId !== undefined && { controllerId }),
    ...filterOf(wanted),
  });
  const nearestFirst = items
    .map((item) => ({ item, deadline: nearestDeadline(item) }))
    .sort((a, b) => a.deadline - b.deadline);
  const shapes = nearestFirst.map(({ item, deadline }) => itemShape(item, deadline));
  const { what, reason, target } = wanted;
  return {
    items: shapes.filter(
      (it) =>
        (what === undefined || it.what === what) &&
        (reason === undefined || it.reason === reason) &&
        (target === undefined || it.target === target),
    ),
    capped,
  };
}

/** Filters before the limit is applied. */
function filterOf({ what, reason, target }: Omit<WantedAttention, 'limit'>): {
  readonly only?: AttentionFilter;
} {
  if (what === undefined && reason === undefined && target === undefined) return {};
  const reasonsOf = (state: 'held' | 'failed') => {
    if (reason !== undefined) return { [state]: { isIn: true, reasons: [reason] } };
    return what === undefined ? {} : { [state]: reasonsFor(what, state) };
  };
  return {
    only: { ...(target !== undefined && { target }), ...reasonsOf('held'), ...reasonsOf('failed') },
  };
}

function itemShape(item: AttentionItem, deadline: number) {
  const { taskNo, state, attempts, changedTime } = item;
  const isTask =
    taskNo !== null && state !== 'pending' && attempts !== null && changedTime !== null;
  return {
    controller_id: item.controllerId,
    subject_request_id: item.subjectRequestId,
    task: taskNo,
    deadline: isoTime(deadline),
    target: item.target,
    state,
    reason: item.reason,
    detail: item.detail,
    what: whatToDo(state, item.reason),
    etag: isTask ? taskEtag({ taskNo, state, attempts, changedTime }) : null,
  };
}

export type AttentionShape = ReturnType<typeof itemShape>;

export function attentionGroups(items: readonly AttentionShape[], capped: boolean) {
  const byWhat = Map.groupBy(items, ({ what }) => what);
  return WHAT_TO_DO.flatMap((what) => {
    const own = byWhat.get(what);
    return own === undefined ? [] : [groupOf(what, own, capped)];
  });
}

function groupOf(what: WhatToDo, items: readonly AttentionShape[], capped: boolean) {
  const byReason = Map.groupBy(items, ({ reason }) => reason);
  return {
    what,
    title: TITLES[what],
    count: items.length,
    capped,
    reasons: [...byReason].map(([reason, own]) => ({ reason, count: own.length })),
    targets: [...new Set(items.flatMap(({ target }) => target ?? []))].sort(),
    items: items.slice(0, MAX_SHOWN),
  };
}
