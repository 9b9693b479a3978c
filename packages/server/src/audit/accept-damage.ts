// What a person does about a log that someone else wrote to, after finding out who did it. What is not ours is
// deleted, what is missing stays missing, and an audit row says who accepted that and why. Sealing continues after it.
import type {
  AuditHeadStore,
  ChainedRow,
  Damage,
  HeadEnd,
  VerifySignature,
} from '../domain/audit/proof-ports.ts';
import { type Actor, NotPossible } from '../domain/task/operator-ports.ts';
import { DAMAGED_LOG, EVERYTHING, type PauseOperator } from '../domain/task/pause-ports.ts';
import { isOurCut, isOurHead } from './authentic.ts';
import type { AuditVerdict } from './verify-audit.ts';

const HEADS_AT_ONCE = 100;
/** Each covers tens of thousands of rows. The rest is covered as usual. */
const MAX_HEADS = 100;

export interface AcceptParts {
  readonly store: AuditHeadStore;
  readonly pauses: Pick<PauseOperator, 'list' | 'resume'>;
  readonly verifySignature: VerifySignature;
  readonly verify: () => Promise<Pick<AuditVerdict, 'problems' | 'rowsNamed'>>;
  readonly seal: (now: number, isAccepted: boolean) => Promise<unknown>;
}

export function createAcceptDamage(parts: AcceptParts) {
  const { store, pauses, verifySignature } = parts;
  const isOwn = (head: HeadEnd) => isOurHead(head, verifySignature);

  /** Those after the last one that we signed. */
  async function foreignHeads(): Promise<HeadEnd[]> {
    const foreign: HeadEnd[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await store.headsBefore(before, HEADS_AT_ONCE);
      const own = page.findIndex(isOwn);
      foreign.push(...page.slice(0, own === -1 ? page.length : own));
      if (own !== -1 || (page.length < HEADS_AT_ONCE && foreign.length === 0)) return foreign;
      if (page.length < HEADS_AT_ONCE) {
        throw new NotPossible(
          'no head of the audit log is signed with a key of this installation: restore its keys or a backup of the store',
        );
      }
      before = page.at(-1)?.headNo ?? 0;
    }
  }

  async function foreignRows(rows: readonly number[], cutUntil: number): Promise<ChainedRow[]> {
    const found: ChainedRow[] = [];
    for (const auditNo of rows) found.push(...(await store.rows(auditNo, auditNo)));
    return found.filter((row) => row.auditNo <= cutUntil || !store.isAuthentic(row));
  }

  /** The sealer pauses erasing when it cannot continue; an operator's own pause stays. */
  async function isStopped(): Promise<boolean> {
    const all = await pauses.list();
    return all.some(({ scope, pausedBy }) => scope === EVERYTHING && pausedBy === DAMAGED_LOG);
  }

  async function sealAll(now: number): Promise<void> {
    for (let heads = 0; heads < MAX_HEADS; heads++) {
      if ((await parts.seal(now, true)) === undefined) return;
    }
  }

  return async (reason: string, by: Actor): Promise<Damage> => {
    const { problems, rowsNamed } = await parts.verify();
    if (problems.length === 0 && !(await isStopped())) {
      throw new NotPossible('the audit log is unchanged: there is nothing to accept');
    }
    const cut = await store.cut();
    const isCutOurs = cut !== undefined && isOurCut(cut, verifySignature);
    const foreign: Omit<Damage, 'rows'> = {
      deleted: await foreignRows(rowsNamed, isCutOurs ? cut.lastAuditNo : 0),
      heads: await foreignHeads(),
      cut: isCutOurs ? undefined : cut,
    };
    if (foreign.deleted.length + foreign.heads.length > 0 || foreign.cut !== undefined) {
      await store.acceptDamage({ ...foreign, rows: [] }, by, reason);
    }
    await sealAll(by.now);
    // Only what is under a head: a number that is free until then may become that of a row of ours.
    const { rowsNamed: rows } = await parts.verify();
    const none = { deleted: [], heads: [], cut: undefined };
    if (rows.length > 0) await store.acceptDamage({ ...none, rows }, by, reason);
    await sealAll(by.now);
    if (await isStopped()) await pauses.resume(EVERYTHING, by);
    return { ...foreign, rows };
  };
}
