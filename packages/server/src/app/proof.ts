// What seals the audit log and signs receipts: for the worker's chores, the server and the command line.
import { type LiveProofSigner, loadProofSigner } from '../audit/proof-key.ts';
import { createSealAudit } from '../audit/seal-audit.ts';
import { createSealAndTell, createSealChore, createSealDue } from '../audit/seal-chore.ts';
import type { Config } from '../config/config.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import type { DueStore, Store, WorkStore } from '../domain/store/store.ts';
import { createIssueReceipts, type IssueReceipts } from '../receipts/issue-receipts.ts';
import { createReceiptChore, createReceiptsDue } from '../receipts/receipt-chore.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';

/** Each covers tens of thousands of rows; the rest is covered after the next start. */
const MOST_LAST_HEADS = 10;

export interface SealerParts {
  readonly store: Pick<Store, 'ownSecrets' | 'proofKeys' | 'auditHeads'>;
  readonly masterKeys: MasterKeyRing;
  /** Writes the newest head down outside of the store. */
  readonly writeDownHead: () => Promise<unknown>;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export interface ProofChoreParts extends SealerParts {
  readonly store: WorkStore;
  readonly domain: string;
  readonly clock: Clock;
}

export function createProofDueChores({ auditHeads, receipts }: DueStore): DueChore[] {
  return [createSealDue(auditHeads.unsealed), createReceiptsDue(receipts.anyDue)];
}

function createSealer({ store, log, writeDownHead }: SealerParts, signer: LiveProofSigner) {
  const seal = createSealAudit(store.auditHeads, signer);
  const withNewest = async (now: number) => {
    await signer.refresh();
    return seal(now);
  };
  return createSealAndTell(withNewest, writeDownHead, {
    sealed: (fields) => log('info', fields, 'the audit log is sealed'),
    warn: (fields, message) => log('warn', fields, message),
  });
}

/** Before the server stops: a head that is known outside of the store covers whatever it has answered. */
export async function sealAll(parts: SealerParts, now: number): Promise<void> {
  const { auditHeads } = parts.store;
  const signer = await loadProofSigner(parts.store, createSecretSealer(parts.masterKeys), now);
  const sealAndTell = createSealer(parts, signer);
  for (let heads = 0; heads < MOST_LAST_HEADS; heads++) {
    if ((await auditHeads.unsealed()) === undefined) return;
    await sealAndTell(now);
  }
}

export async function createProofChores(parts: ProofChoreParts): Promise<Chore[]> {
  const { store, masterKeys, domain, clock } = parts;
  const { auditHeads, receipts } = store;
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), clock());
  const sealAndTell = createSealer(parts, signer);
  const issue = withNewestKey(createIssueReceipts({ store: receipts, signer, domain }), signer);
  return [
    createReceiptChore(receipts.anyDue, issue, sealAndTell),
    createSealChore(auditHeads.unsealed, sealAndTell),
  ];
}

export interface Proof {
  readonly signer: LiveProofSigner;
  readonly receipts: IssueReceipts;
}

export async function openProof(
  store: Pick<Store, 'ownSecrets' | 'proofKeys' | 'receipts' | 'clock'>,
  masterKeys: MasterKeyRing,
  domain: string,
): Promise<Proof> {
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), store.clock());
  const receipts = createIssueReceipts({ store: store.receipts, signer, domain });
  return { signer, receipts: withNewestKey(receipts, signer) };
}

/** Another node may have replaced the key. */
function withNewestKey(receipts: IssueReceipts, { refresh }: LiveProofSigner): IssueReceipts {
  return {
    async issueSome(now) {
      await refresh();
      return receipts.issueSome(now);
    },
    async documentsOf(request, now) {
      await refresh();
      return receipts.documentsOf(request, now);
    },
  };
}

/** By its age; of several nodes that find it old, one replaces it. */
export async function replaceOldProofKey(
  store: Pick<Store, 'ownSecrets' | 'proofKeys' | 'clock'>,
  masterKeys: MasterKeyRing,
  { proofKeyRotation }: Pick<Config, 'proofKeyRotation'>,
): Promise<void> {
  const now = store.clock();
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), now);
  const created = signer.published.at(-1)?.createdTime ?? now;
  if (created + proofKeyRotation * 1000 <= now) await signer.rotate({ actor: 'system', now });
}
