// The state of each target: up, down, refused by its check, paused; its backlog, and how much of the day's
// limit is used.

import { dayOf } from '../../domain/limit/day.ts';
import type { CountedOnDay, TargetBacklog } from '../../domain/operator/view-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import { isOpen } from '../../domain/target/hours.ts';
import { DEFAULT_MANUAL_TARGET, type TargetConfig } from '../../domain/target/target.ts';
import { TARGET_REFUSED } from '../../domain/target/target-refused.ts';
import type { OpenCircuit } from '../../domain/task/fulfilment-ports.ts';
import type { Pause } from '../../domain/task/pause-ports.ts';
import { EVERYTHING } from '../../domain/task/pause-ports.ts';
import { etagOf } from '../etag.ts';
import { isoTime } from '../iso-time.ts';
import { noSuchTarget } from './find-target.ts';
import { isPaused, pauseShape } from './pauses.ts';

type Stores = Pick<Store, 'views' | 'tasks' | 'pauses' | 'clock'>;

export type TargetState = 'up' | 'down' | 'refused' | 'paused' | 'manual' | 'removed';

export interface TargetFacts {
  readonly now: number;
  readonly pauses: readonly Pause[];
  readonly circuits: readonly OpenCircuit[];
}

async function readFacts({ pauses, tasks, clock }: Stores): Promise<TargetFacts> {
  return { now: clock(), pauses: await pauses.list(), circuits: await tasks.circuits() };
}

/** The number of targets in each state, for the overview; without backlogs. */
export async function targetStates(store: Stores, targets: readonly TargetConfig[]) {
  const facts = await readFacts(store);
  const states = targets.map((target) => stateOf(target.name, target, facts));
  const count = (state: TargetState) => states.filter((it) => it === state).length;
  return {
    total: targets.length,
    up: count('up'),
    down: count('down'),
    refused: count('refused'),
    paused: count('paused'),
    manual: count('manual'),
  };
}

export async function listTargets(store: Stores, targets: readonly TargetConfig[]) {
  const facts = await readFacts(store);
  const backlogs = await store.views.backlogs();
  const configured = new Set(targets.map(({ name }) => name));
  const removed = [...new Set(backlogs.map(({ target }) => target))].filter(
    (name) => !configured.has(name),
  );
  const lines = [];
  for (const target of targets)
    lines.push(await lineOf(store, target.name, target, facts, backlogs));
  for (const name of removed.sort())
    lines.push(await lineOf(store, name, undefined, facts, backlogs));
  return lines;
}

export async function readTarget(store: Stores, targets: readonly TargetConfig[], name: string) {
  const lines = await listTargets(store, targets);
  const found = lines.find((line) => line.name === name);
  if (found === undefined) throw noSuchTarget(name, targets);
  return found;
}

export function stateOf(
  name: string,
  target: TargetConfig | undefined,
  { pauses, circuits }: Pick<TargetFacts, 'pauses' | 'circuits'>,
): TargetState {
  if (target === undefined && name !== DEFAULT_MANUAL_TARGET) return 'removed';
  if (isPaused(name, pauses)) return 'paused';
  if (target === undefined || target.connector === 'manual') return 'manual';
  const circuit = circuits.find((it) => it.target === name);
  if (circuit === undefined) return 'up';
  return circuit.code === TARGET_REFUSED ? 'refused' : 'down';
}

async function lineOf(
  { views }: Stores,
  name: string,
  target: TargetConfig | undefined,
  facts: TargetFacts,
  backlogs: readonly TargetBacklog[],
) {
  const { now, pauses, circuits } = facts;
  const state = stateOf(name, target, facts);
  const pause = pauses.find(({ scope }) => scope === name || scope === EVERYTHING);
  const circuit = circuits.find((it) => it.target === name);
  const today = dayOf(now);
  const counts = await views.dailyCounts(WHAT, { from: today, until: today }, name);
  return {
    name,
    etag: etagOf('target', name, target?.digest, state, pause?.pausedTime, circuit?.openedTime),
    connector: target?.connector ?? 'manual',
    mode: target?.mode ?? 'erase',
    tenancy: target !== undefined && 'tenancy' in target ? target.tenancy.way : null,
    controllers: target?.controllers ?? null,
    hours: target?.hours?.text ?? null,
    digest: target?.digest ?? null,
    state,
    open_now: target?.hours === null || target === undefined || isOpen(target.hours, now),
    pause: pause === undefined ? null : pauseShape(pause),
    trouble: circuit === undefined ? null : troubleOf(circuit),
    backlog: backlogOf(backlogs.filter((it) => it.target === name)),
    today: todayOf(counts, target?.maxRowsPerDay ?? null),
  };
}

const WHAT = ['rows', 'tasks', 'not_found'] as const;

export function troubleOf({ code, detail, failures, openedTime, probeTime }: OpenCircuit) {
  return { code, detail, failures, since: isoTime(openedTime), next_try: isoTime(probeTime) };
}

function backlogOf(backlogs: readonly TargetBacklog[]) {
  const count = (state: TargetBacklog['state']) =>
    backlogs.filter((it) => it.state === state).reduce((sum, it) => sum + it.count, 0);
  return {
    waiting: count('waiting'),
    running: count('running'),
    failed: count('failed'),
    held: count('held'),
    capped: backlogs.some(({ capped }) => capped),
  };
}

function todayOf(counts: readonly CountedOnDay[], maxRowsPerDay: number | null) {
  const count = (what: CountedOnDay['what']) => counts.find((it) => it.what === what)?.count ?? 0;
  return {
    rows: count('rows'),
    max_rows_per_day: maxRowsPerDay,
    tasks: count('tasks'),
    not_found: count('not_found'),
  };
}
