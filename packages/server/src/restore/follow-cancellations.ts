// Any node may be the one that starts a request, and someone who can write to the database can remove its cancellation
// from the log. So every node also writes down the cancellations that other nodes have answered, as soon as a head covers
// them. Until then, the node that has answered a cancellation compares it with the log. The same writes down what a node
// has cancelled and, because it was killed or its disk was full, neither answered nor written down: its status is
// 'cancelled' from then on.
import { setImmediate } from 'node:timers/promises';
import type { RequestStatus } from '@unwrite/protocol';
import type { Clock } from '../domain/clock.ts';
import type { RequestKey } from '../domain/request/request.ts';
import { keyText } from '../domain/request/same-request.ts';
import { type Happened, type RecordedHead, SYSTEM } from '../domain/store/restore.ts';
import type { RestoreState, RestoreStore } from '../domain/store/restore-ports.ts';
import type { CancellationLog } from './cancellation-log.ts';

/** By then a head covers it, if there is a worker. */
const SEALED_AFTER_MS = 5000;
const MAX_COMPARED = 200;
const MAX_UNSEALED = 100_000;
/** A node that is killed may have recorded a head just before it would have read its rows. */
const READ_AGAIN_MS = 60_000;
/** Rows of the log in one read: a long log is not read within the timeout of a statement. */
const MAX_ROWS = 20_000;

export interface SealingHead extends RecordedHead {
  /** The last row that it covers. */
  readonly lastAuditNo: number;
}

export interface LoggedRequest {
  readonly status: RequestStatus | undefined;
  readonly receivedTime: number;
}

export interface FollowCancellationsParts {
  readonly restores: Pick<RestoreStore, 'state' | 'cancelledBetween' | 'declare' | 'addFindings'>;
  /** Undefined if there is none of ours. */
  readonly signedHead: (headNo: number) => Promise<SealingHead | undefined>;
  readonly cancellations: Pick<CancellationLog, 'ready' | 'add'>;
  /** Those of the requests that are in the files of this node. */
  readonly cancelledHere: (requests: readonly RequestKey[]) => Promise<Happened[]>;
  /** With the status according to the log, which is undefined if its rows may have been cut. */
  readonly readRequest: (key: RequestKey) => Promise<LoggedRequest | undefined>;
  readonly clock: Clock;
  /** Older cancellations are not written down. */
  readonly keepMs: () => number;
  readonly node: string;
  /** False on SQLite: then only what was committed before the start may be missing in the files. */
  readonly hasOthers: boolean;
  /** The newest head that this node knew when it was stopped; 0 if it has not read the whole log yet. */
  readonly fromHeadNo: number;
  /** Called when the log was read up to the newest head. */
  readonly hasRead: () => void;
  readonly warn: (fields: object, message: string) => void;
}

export interface FollowCancellations {
  /** This node has answered it, and has it in its file. */
  answered(cancelled: Happened): void;
  /** Called every second: one read if there is no new head. */
  look(): Promise<void>;
}

export function createFollowCancellations(parts: FollowCancellationsParts): FollowCancellations {
  const { restores, signedHead, cancellations, cancelledHere, readRequest, clock, node } = parts;
  const unsealed = new Map<string, Happened>();
  let readUpTo: number | undefined;
  let lookedAt: string | undefined;
  let restoreNo: number | null | undefined;
  /** Whether the log was read up to a cancellation that was answered since the start. */
  let hasReadOwn = false;

  async function firstNumber(): Promise<number> {
    let head = await signedHead(parts.fromHeadNo);
    const before = (head?.time ?? 0) - READ_AGAIN_MS;
    while (head !== undefined && head.time > before) head = await signedHead(head.headNo - 1);
    return head?.lastAuditNo ?? 0;
  }

  async function writeDown(some: readonly Happened[], lastRestoreNo: number): Promise<void> {
    const after = clock() - parts.keepMs();
    // What could not be written the last time is written now, and not added again.
    await cancellations.ready();
    // Its own are in its file: that is not read for each of them.
    const recent = some.filter((it) => it.time > after && !isOwn(it));
    const known = new Set((await cancelledHere(recent)).map(eventOf));
    const unknown = recent.filter((it) => !known.has(eventOf(it)));
    await Promise.all(unknown.map((it) => cancellations.add({ ...it, lastRestoreNo })));
    hasReadOwn ||= some.some(isOwn);
    for (const it of some) {
      const own = unsealed.get(keyText(it));
      if (own !== undefined && own.time <= it.time) unsealed.delete(keyText(it));
    }
  }

  const isOwn = (it: Happened) => unsealed.get(keyText(it))?.time === it.time;

  /** Of those that no head covers for long, some at a time. */
  async function findRemoved(): Promise<Happened[]> {
    const before = clock() - SEALED_AFTER_MS;
    const removed: Happened[] = [];
    const late = [...unsealed.values()].filter(({ time }) => time <= before);
    for (const it of late.slice(0, MAX_COMPARED)) {
      const found = await readRequest(it);
      // One that was lost in a restore may have been submitted again.
      const isSame = found?.receivedTime === it.requestTime;
      const { status = 'cancelled' } = found ?? {};
      if (isSame && status !== 'cancelled') removed.push(it);
      // It is compared again after all others.
      unsealed.delete(keyText(it));
      unsealed.set(keyText(it), it);
    }
    return removed;
  }

  async function tell(removed: readonly Happened[]): Promise<void> {
    const reason = `${node} has answered cancellations that the audit log lacks: ${removed.length}`;
    await restores.declare(reason, { actor: SYSTEM, now: clock() });
    await restores.addFindings(removed.map((it) => ({ ...it, source: node })));
    for (const it of removed) unsealed.delete(keyText(it));
    parts.warn(
      { reason },
      'cancellations were removed from the audit log; nothing starts until "unwrite restored review" and "unwrite restored confirm"',
    );
  }

  async function followHeads({ headNo, headHash, lastNo }: RestoreState): Promise<void> {
    const seen = [headNo, headHash && Buffer.from(headHash).toString('hex'), lastNo].join();
    if (headNo === null || seen === lookedAt) return;
    const head = await signedHead(headNo);
    if (head === undefined) return;
    readUpTo ??= await firstNumber();
    // After a restore, other rows have the numbers of those that were lost.
    const isRestored = restoreNo !== undefined && restoreNo !== lastNo;
    if (isRestored || head.lastAuditNo < readUpTo) readUpTo = 0;
    restoreNo = lastNo;
    while (readUpTo < head.lastAuditNo) {
      const upTo = Math.min(readUpTo + MAX_ROWS, head.lastAuditNo);
      await writeDown(await restores.cancelledBetween(readUpTo, upTo), lastNo ?? 0);
      readUpTo = upTo;
      // On SQLite, reads do not wait: others get their turn in between.
      await setImmediate();
    }
    parts.hasRead();
    lookedAt = seen;
  }

  const isDone = () => hasReadOwn && !parts.hasOthers;

  return {
    answered(cancelled) {
      if (isDone()) return unsealed.clear();
      const [oldest] = unsealed.size < MAX_UNSEALED ? [] : unsealed.keys();
      if (oldest !== undefined) unsealed.delete(oldest);
      unsealed.set(keyText(cancelled), cancelled);
    },
    async look() {
      if (isDone()) return;
      const state = await restores.state();
      await followHeads(state);
      // What an open restore has lost is on its list already.
      const removed = state.openNo === null ? await findRemoved() : [];
      if (removed.length > 0) await tell(removed);
    },
  };
}

/** A later request with the same id was cancelled at another time. */
const eventOf = (it: Happened) => `${keyText(it)} ${it.time}`;
