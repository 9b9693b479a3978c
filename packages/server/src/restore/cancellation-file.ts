// The format of a file of cancellations: a first line that names the format, then a line for each. A process appends
// only to its own files and never changes what another has written.
import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isSubjectRequestId } from '@unwrite/protocol';
import type { Happened } from '../domain/store/restore.ts';
import { isControllerId } from '../domain/tenant/controller-id.ts';
import { requireRegular } from '../files/regular.ts';

const NAME = /^cancelled-(\d{4}-\d{2}-\d{2})-[0-9a-f]{8}\.jsonl$/;
export const FIRST_LINE = '{"unwrite":"cancellations"}\n';
const MAX_AT_ONCE = 256;

export const fileNameOf = (day: string, id: string) => `cancelled-${day}-${id}.jsonl`;

export interface CancellationFileName {
  readonly name: string;
  /** Start of the day in UTC. */
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

export function lineOf(happened: Happened): string {
  const { controllerId, subjectRequestId, time, requestTime, lastRestoreNo } = happened;
  const line = {
    time: new Date(time).toISOString(),
    controller_id: controllerId,
    subject_request_id: subjectRequestId,
    ...(requestTime !== undefined && { received_time: new Date(requestTime).toISOString() }),
    ...(lastRestoreNo !== undefined && { last_restore_no: lastRestoreNo }),
  };
  return `${JSON.stringify(line)}\n`;
}

/**
 * Passes on the cancellations since then, some at a time. Returns the names of damaged files, whose readable lines
 * are passed on too. The last line may be incomplete after a crash: that was before its sync, and so before the
 * answer to the controller.
 */
export async function readCancellations(
  dataDir: string,
  since: number,
  take: (some: readonly Happened[]) => Promise<void>,
  /** Skips files of earlier days. */
  days = since,
): Promise<string[]> {
  const damaged: string[] = [];
  for (const { name, day } of cancellationFilesIn(dataDir)) {
    // If the clock was set back, entries may be in the file of a later day.
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
    requireRegular(path);
    const file = await open(path);
    for await (const line of file.readLines()) {
      const isFirst = lines++ === 0;
      if (isFirst && `${line}\n` === FIRST_LINE) continue;
      if (isFirst || isTorn) isWhole = false;
      const whole = parseLine(line);
      if (whole === undefined) isTorn = true;
      const entry = whole ?? findInDamaged(line, lastTime);
      lastTime = entry?.time ?? lastTime;
      // The clock may have been behind: then the day of the file is more accurate.
      if (entry !== undefined && Math.max(entry.time, day) >= since) some.push(entry);
      if (some.length < MAX_AT_ONCE) continue;
      await take(some);
      some = [];
    }
  } catch (error) {
    // Another node in this folder has removed the file because of its age.
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

/** A line with an unreadable time still names the request; it was written at about the time of the line before. */
function findInDamaged(line: string, time: number): Happened | undefined {
  const [, controllerId = '', id = ''] = NAMED.exec(line) ?? [];
  if (!isControllerId(controllerId) || !isSubjectRequestId(id)) return undefined;
  return { what: 'cancelled', time, controllerId, subjectRequestId: id };
}

export function parseLine(line: string): Happened | undefined {
  try {
    const fields = JSON.parse(line);
    const { time: at, controller_id: controllerId, subject_request_id: id } = fields;
    const time = Date.parse(at);
    const requestTime = Date.parse(fields.received_time);
    const lastRestoreNo = fields.last_restore_no;
    if (Number.isNaN(time) || !isControllerId(controllerId) || !isSubjectRequestId(id)) {
      return undefined;
    }
    return {
      what: 'cancelled',
      time,
      controllerId,
      subjectRequestId: id,
      ...(!Number.isNaN(requestTime) && { requestTime }),
      ...(Number.isSafeInteger(lastRestoreNo) && { lastRestoreNo }),
    };
  } catch {
    return undefined;
  }
}
