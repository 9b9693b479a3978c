// What seals the audit log and signs receipts: for the worker's chores, the server and the command line.
import { createHeadFile } from '../audit/head-file.ts';
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

export interface ProofChoreParts {
  readonly store: WorkStore;
  readonly masterKeys: MasterKeyRing;
  readonly dataDir: string;
  readonly domain: string;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export function createProofDueChores({ auditHeads, receipts }: DueStore): DueChore[] {
  return [createSealDue(auditHeads.unsealed), createReceiptsDue(receipts.anyDue)];
}

export async function createProofChores(parts: ProofChoreParts): Promise<Chore[]> {
  const { store, masterKeys, dataDir, domain, clock, log } = parts;
  const { auditHeads, receipts } = store;
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), clock());
  const seal = createSealAudit(auditHeads, signer);
  const sealAndTell = createSealAndTell(
    async (now) => {
      await signer.refresh();
      return seal(now);
    },
    createHeadFile(dataDir),
    {
      sealed: (fields) => log('info', fields, 'the audit log is sealed'),
      warn: (fields, message) => log('warn', fields, message),
    },
  );
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
