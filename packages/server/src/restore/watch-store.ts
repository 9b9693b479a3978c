// Compares the store with the files of this node. If the store lacks something, that is recorded in the store,
// for all nodes: from then on nothing starts until an operator has confirmed.
import type { Clock } from '../domain/clock.ts';
import { keyText } from '../domain/request/same-request.ts';
import { judgeHead, type RecordedHead, type Restore, SYSTEM } from '../domain/store/restore.ts';
import type { RestoreState, RestoreStore } from '../domain/store/restore-ports.ts';
import type { HeadFile } from './head-file.ts';
import type { LostCancellations } from './lost-cancellations.ts';

/** The head of that number; undefined if there is none, or if someone else wrote it. */
export type SignedHead = (headNo: number) => Promise<RecordedHead | undefined>;

export interface StoreWatchParts {
  readonly restores: RestoreStore;
  readonly signedHead: SignedHead;
  readonly headFile: HeadFile;
  /** Left out if another thread of this node watches them, and files that cannot be read. */
  readonly cancellations?: LostCancellations;
  /** The last head in audit.witness_file, which is not restored with the data folder. */
  readonly witnessed?: () => RecordedHead | undefined;
  /** The name of this node, as `unwrite node list` shows it. */
  readonly node: string;
  readonly clock: Clock;
  readonly warn: (fields: object, message: string) => void;
}

export interface StoreWatch {
  /** Whether anything may start. Called every second: only a few reads by key if nothing has changed. */
  look(): Promise<boolean>;
  /** Compares everything: at the start, and after the store could not be reached. */
  lookClosely(): Promise<boolean>;
  /** The newest restore at the last look; 0 if there was none. */
  lastRestoreNo(): number;
}

const WARNING =
  'the store went back in time: if a backup was restored, requests that were cancelled since are pending again. All erasing is paused and nothing that is pending starts, on all nodes; "unwrite restored review" lists what is known, and docs/forgetting.md, "Our own store was restored", says what to do';

const NOT_WRITTEN =
  'the newest head of the audit log cannot be written beside the store: until that works, a restored backup may not be noticed; check the permissions and the free space of the data folder';

export function createStoreWatch(parts: StoreWatchParts): StoreWatch {
  const { restores, headFile, cancellations, node, clock, warn } = parts;
  let seen: string | undefined;
  let open: Restore | undefined;
  let lastNo = 0;
  let listed: Restore | undefined;
  let failed: string | undefined;
  let isWritten = true;

  async function lookAt(isClose: boolean): Promise<boolean> {
    const state = await restores.state();
    const now = fingerprint(state);
    if (!isClose && now === seen) return state.openNo === null;
    const known = await restores.restores();
    // A restore was noticed or confirmed between the two reads: the next look decides.
    if ((findOpen(known)?.restoreNo ?? null) !== state.openNo) {
      seen = undefined;
      return false;
    }
    // A record that is gone does not count as confirmed: Unwrite never removes one, and another backup may have one
    // with the same number.
    const isRemoved = (state.lastNo ?? 0) < lastNo || (open !== undefined && !has(known, open));
    lastNo = state.lastNo ?? 0;
    const wasConfirmed = open !== undefined && state.openNo === null && !isRemoved;
    // The other thread makes the files match the store. Until then their head is the one that was lost.
    if (wasConfirmed && cancellations === undefined && (await hasReasons(state, known))) {
      seen = undefined;
      return false;
    }
    // Repeated the next time if it fails: a damaged file that stays would open the restore again.
    if (wasConfirmed && cancellations !== undefined) await settle(state);
    open = findOpen(known);
    isWritten = true;
    // Cancellations that this node added during the confirmation were not cancelled again.
    const isFine = await compare(state, known, isClose || isRemoved || wasConfirmed);
    seen = isFine && isWritten ? now : undefined;
    return isFine;
  }

  const hasReasons = async (state: RestoreState, known: readonly Restore[]) =>
    (await findReasons(parts, state, known, false)).length > 0;

  async function compare(
    state: RestoreState,
    known: readonly Restore[],
    isClose: boolean,
  ): Promise<boolean> {
    const reasons = await findReasons(parts, state, known, isClose);
    if (reasons.length === 0 && state.openNo === null) {
      await follow(state);
      return true;
    }
    if (state.openNo === null)
      await restores.declare(reasons.join('; '), { actor: SYSTEM, now: clock() });
    await listLost(isClose);
    await followOpen(state);
    return false;
  }

  /**
   * Adds what this node has in its files to the list that the operator reviews: once for each restore, and again where
   * the store may have gone back to an earlier list.
   */
  async function listLost(isClose: boolean): Promise<void> {
    const current = await restores.restores();
    open = findOpen(current);
    if (open === undefined) return;
    const isNew = listed === undefined || !isSame(listed, open);
    if (!isNew && !isClose) return;
    if (isNew) warn({ reason: open.reason }, WARNING);
    await cancellations?.each('all', current, async (some) => {
      await restores.addFindings(some.map((it) => ({ ...it, source: node })));
    });
    listed = open;
  }

  async function follow(state: RestoreState): Promise<void> {
    const newest = await newestHead(parts, state);
    const { heads, unreadable } = headFile.read();
    const [only] = heads;
    if (unreadable.length > 0 || newest === undefined) return;
    if (heads.length <= 1 && only?.hash === newest.hash) return;
    writeHead(() => (heads.length > 1 ? headFile.settle(newest) : headFile.write(newest)));
  }

  /** Another backup may be restored before this restore is confirmed: what was accepted meanwhile is lost with it. */
  async function followOpen(state: RestoreState): Promise<void> {
    const newest = await newestHead(parts, state);
    if (newest === undefined || open === undefined || newest.headNo <= open.lastHeadNo) return;
    if (headFile.read().heads.some(({ hash }) => hash === newest.hash)) return;
    const { restoreNo: lastRestoreNo } = open;
    writeHead(() => headFile.writeBeside({ ...newest, lastRestoreNo }));
  }

  function writeHead(write: () => void): void {
    try {
      write();
      failed = undefined;
    } catch (error) {
      isWritten = false;
      const { code } = error as NodeJS.ErrnoException;
      if (code !== failed) warn({ reason: code }, NOT_WRITTEN);
      failed = code;
    }
  }

  async function settle(state: RestoreState): Promise<void> {
    headFile.settle(await newestHead(parts, state));
    await cancellations?.settle();
    warn({}, 'the restore of the store was confirmed: requests start again');
  }

  return {
    look: () => lookAt(false),
    lookClosely: () => lookAt(true),
    lastRestoreNo: () => open?.restoreNo ?? lastNo,
  };
}

const findOpen = (known: readonly Restore[]) =>
  known.find(({ confirmedTime }) => confirmedTime === null);

const isSame = (one: Restore, other: Restore) =>
  one.restoreNo === other.restoreNo && one.detectedTime === other.detectedTime;

const has = (known: readonly Restore[], one: Restore) => known.some((it) => isSame(it, one));

function fingerprint({ openNo, lastNo, headNo, headHash, isPausedBySystem }: RestoreState): string {
  const hash = headHash === null ? '' : Buffer.from(headHash).toString('hex');
  return [openNo, lastNo, headNo, hash, isPausedBySystem].join();
}

/** What comparing needs, without changing anything. */
export type ComparedStore = Pick<
  StoreWatchParts,
  'headFile' | 'cancellations' | 'witnessed' | 'node'
> & { readonly restores: Pick<RestoreStore, 'head'> };

/** Reasons to believe that the store is older than before. */
export async function findReasons(
  parts: ComparedStore,
  state: Pick<RestoreState, 'openNo' | 'isPausedBySystem'>,
  known: readonly Restore[],
  isClose: boolean,
): Promise<string[]> {
  const { headFile, cancellations, node } = parts;
  const reasons: string[] = [];
  const { heads, unreadable } = headFile.read();
  for (const head of heads) {
    if (judgeHead(head, await isThere(parts, head), known) !== 'went back') continue;
    reasons.push(`${node} has head ${head.headNo} of the audit log, which the store lacks`);
  }
  if (state.isPausedBySystem && state.openNo === null)
    reasons.push('erasing is paused for a restore whose record is missing');
  if (cancellations === undefined) return reasons;
  for (const name of unreadable) reasons.push(`${name} of ${node} cannot be read`);
  if (!isClose) return reasons;
  const witnessed = parts.witnessed?.();
  if (witnessed !== undefined) {
    const verdict = judgeHead(witnessed, await isThere(parts, witnessed), known);
    if (verdict === 'went back')
      reasons.push(`audit.witness_file has head ${witnessed.headNo}, which the store lacks`);
  }
  // Two files may have the same cancellation.
  const lost = new Set<string>();
  const damaged = await cancellations.each('recent', known, async (some) => {
    for (const it of some) lost.add(keyText(it));
  });
  for (const name of damaged) reasons.push(`${name} of ${node} cannot be read`);
  if (lost.size > 0)
    reasons.push(`${node} has answered cancellations that the store lacks: ${lost.size}`);
  return reasons;
}

async function isThere({ restores }: ComparedStore, known: RecordedHead): Promise<boolean> {
  const head = await restores.head(known.headNo);
  return head?.hash === known.hash;
}

async function newestHead(
  { signedHead }: StoreWatchParts,
  { headNo, lastNo }: RestoreState,
): Promise<RecordedHead | undefined> {
  const head = headNo === null ? undefined : await signedHead(headNo);
  return head && { ...head, lastRestoreNo: lastNo ?? 0 };
}
