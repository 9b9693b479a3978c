// The format of a file of cancellations: a first line that says what it is, then a line for each. A process appends
// to files of its own, and never changes what another has written.
import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isSubjectRequestId } from '@unwrite/protocol';
import type { Happened } from '../domain/store/restore.ts';
import { isControllerId } from '../domain/tenant/controller-id.ts';

const NAME = /^cancelled-(\d{4}-\d{2}-\d{2})-[0-9a-f]{8}\.jsonl$/;
export const FIRST_LINE = '{"unwrite":"cancellations"}\n';
const MAX_AT_ONCE = 256;

export const fileNameOf = (day: string, id: string) => `cancelled-${day}-${id}.jsonl`;

export interface CancellationFileName {
  readonly name: string;
  /** The start of its day, which is UTC. */
  readonly day: number;
}

export function cancellationFilesIn(dataDir: string): CancellationFileName[] {
  return readdirSync(dataDir)
    .sort()
    .flatMap((name) => {
      const [, day] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ name, day: Date.parse(day) }];
    });
}

export function lineOf({ controllerId, subjectRequestId, time, requestTime }: Happened): string {
  const line = {
    time: new Date(time).toISOString(),
    controller_id: controllerId,
    subject_request_id: subjectRequestId,
    ...(requestTime !== undefined && { received_time: new Date(requestTime).toISOString() }),
  };
  return `${JSON.stringify(line)}\n`;
}

/**
 * Hands over what is in the files since then, some at a time. Answers the names of those that are damaged; what can be
 * read of these is handed over, too. The last line may be torn: a crash came before its sync, and so before the answer
 * to the controller.
 */
export async function readCancellations(
  dataDir: string,
  since: number,
  take: (some: readonly Happened[]) => Promise<void>,
  /** Files of earlier days are left out. */
  days = since,
): Promise<string[]> {
  const damaged: string[] = [];
  for (const { name, day } of cancellationFilesIn(dataDir)) {
    // A clock that was set back may write to the file of the day after.
    if (day < days - 3 * 86_400_000) continue;
    if (!(await readFile(join(dataDir, name), day, since, take))) damaged.push(name);
  }
  return damaged;
}

async function readFile(
  path: string,
  day: number,
  since: number,
  take: (some: readonly Happened[]) => Promise<void>,
): Promise<boolean> {
  let some: Happened[] = [];
  let lines = 0;
  let lastTime = day;
  let isTorn = false;
  let isWhole = true;
  try {
    const file = await open(path);
    for await (const line of file.readLines()) {
      const isFirst = lines++ === 0;
      if (isFirst && `${line}\n` === FIRST_LINE) continue;
      if (isFirst || isTorn) isWhole = false;
      const whole = parseLine(line);
      if (whole === undefined) isTorn = true;
      const entry = whole ?? findInDamaged(line, lastTime);
      lastTime = entry?.time ?? lastTime;
      // The clock may have been behind: then the day of the file is nearer to the truth.
      if (entry !== undefined && Math.max(entry.time, day) >= since) some.push(entry);
      if (some.length < MAX_AT_ONCE) continue;
      await take(some);
      some = [];
    }
  } catch (error) {
    // Another node in this folder has removed it for its age.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    if (!isOfTheFile(error)) throw error;
    isWhole = false;
  }
  if (some.length > 0) await take(some);
  return isWhole && lines > 0;
}

function isOfTheFile(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && (syscall === 'open' || syscall === 'read');
}

const NAMED = /"controller_id":"([^"]+)","subject_request_id":"([^"]+)"/;

/** A line whose time cannot be read still says which request was cancelled: about when the line before it was written. */
function findInDamaged(line: string, time: number): Happened | undefined {
  const [, controllerId = '', id = ''] = NAMED.exec(line) ?? [];
  if (!isControllerId(controllerId) || !isSubjectRequestId(id)) return undefined;
  return { what: 'cancelled', time, controllerId, subjectRequestId: id };
}

function parseLine(line: string): Happened | undefined {
  try {
    const fields = JSON.parse(line);
    const { time: at, controller_id: controllerId, subject_request_id: id } = fields;
    const time = Date.parse(at);
    // Earlier versions did not write it.
    const requestTime = Date.parse(fields.received_time);
    if (Number.isNaN(time) || !isControllerId(controllerId) || !isSubjectRequestId(id)) {
      return undefined;
    }
    const happened = { what: 'cancelled', time, controllerId, subjectRequestId: id } as const;
    return Number.isNaN(requestTime) ? happened : { ...happened, requestTime };
  } catch {
    return undefined;
  }
}
