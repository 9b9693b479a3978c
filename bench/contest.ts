// Entrants one after the other, round by round: what slows the machine down for a while slows all of them.
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Load, type Measured, measure } from './load.ts';

export interface Entrant {
  readonly name: string;
  readonly process: ChildProcess;
  readonly load: Omit<Load, 'seconds' | 'connections'>;
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Medians, by the entrant's name. */
export type Standings = ReadonlyMap<string, Measured>;

const WARM_UP_SECONDS = 2;

export async function hold(
  what: string,
  entrants: readonly Entrant[],
  { rounds, seconds, connections }: Rounds,
): Promise<Standings> {
  const measured = new Map(entrants.map(({ name }) => [name, [] as Measured[]]));
  for (const { load } of entrants) {
    await measure({ ...load, connections, seconds: WARM_UP_SECONDS });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, process, load } of entrants) {
      measured.get(name)?.push(await measure({ ...load, connections, seconds }));
      await settle(process);
    }
  }
  return new Map([...measured].map(([name, list]) => [name, medians(`${what}, ${name}`, list)]));
}

function medians(name: string, list: readonly Measured[]): Measured {
  const errors = list.reduce((sum, it) => sum + it.errors, 0);
  if (errors > 0) throw new Error(`${name}: ${errors} requests failed`);
  const of = (key: keyof Measured) => median(list.map((it) => it[key]));
  return { perSecond: of('perSecond'), errors, p50: of('p50'), p99: of('p99') };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const TITLES =
  'what | ours | rival | rate: ours ÷ rival | p99: ours ÷ rival | per second: ours / rival | p99 in ms: ours / rival';

export function compare(what: string, standings: Standings, ours: string, rival: string): string {
  const [us, them] = [standings.get(ours), standings.get(rival)];
  if (us === undefined || them === undefined) throw new Error(`${ours} or ${rival} was not there`);
  return [
    what,
    ours,
    rival,
    (us.perSecond / them.perSecond).toFixed(2),
    (us.p99 / them.p99).toFixed(1),
    `${us.perSecond.toFixed(0)} / ${them.perSecond.toFixed(0)}`,
    `${us.p99.toFixed(1)} / ${them.p99.toFixed(1)}`,
  ].join(' | ');
}

const LOOK_MS = 200;
const IDLE_SHARE = 0.1;
const MAX_LOOKS = 50;

/** What a server still does after its load, such as sealing its audit log, must not slow the next one. */
export async function settle({ pid }: { readonly pid?: number | undefined }): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const before = processorMs(pid);
    await wait(LOOK_MS);
    if (processorMs(pid) - before < LOOK_MS * IDLE_SHARE) return;
  }
}

/** Always 0 on systems other than Linux. */
export function processorMs(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const TICK_MS = 10;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
