// What seals the audit log and signs receipts: for the worker's chores, the server and the command line.
import { loadProofSigner } from '../audit/proof-key.ts';
import { createSealAudit } from '../audit/seal-audit.ts';
import { createSealAndTell, createSealChore, createSealDue } from '../audit/seal-chore.ts';
import type { ProofSigner } from '../domain/audit/proof-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { DueStore, Store, WorkStore } from '../domain/store/store.ts';
import { createIssueReceipts, type IssueReceipts } from '../receipts/issue-receipts.ts';
import { createReceiptChore, createReceiptsDue } from '../receipts/receipt-chore.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';

/** Each covers tens of thousands of rows; the rest is covered after the next start. */
const MOST_LAST_HEADS = 10;

export interface SealerParts {
  readonly store: Pick<Store, 'ownSecrets' | 'auditHeads'>;
  readonly masterKeys: MasterKeyRing;
  /** Writes the newest head down outside of the store. */
  readonly writeDownHead: () => Promise<unknown>;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export interface ProofChoreParts extends SealerParts {
  readonly store: WorkStore;
  readonly domain: string;
}

export function createProofDueChores({ auditHeads, receipts }: DueStore): DueChore[] {
  return [createSealDue(auditHeads.unsealed), createReceiptsDue(receipts.anyDue)];
}

function createSealer({ store, log, writeDownHead }: SealerParts, signer: ProofSigner) {
  return createSealAndTell(createSealAudit(store.auditHeads, signer), writeDownHead, {
    sealed: (fields) => log('info', fields, 'the audit log is sealed'),
    warn: (fields, message) => log('warn', fields, message),
  });
}

/** Before the server stops: a head that is known outside of the store covers whatever it has answered. */
export async function sealAll(parts: SealerParts, now: number): Promise<void> {
  const { auditHeads, ownSecrets } = parts.store;
  const signer = await loadProofSigner(ownSecrets, createSecretSealer(parts.masterKeys));
  const sealAndTell = createSealer(parts, signer);
  for (let heads = 0; heads < MOST_LAST_HEADS; heads++) {
    if ((await auditHeads.unsealed()) === undefined) return;
    await sealAndTell(now);
  }
}

export async function createProofChores(parts: ProofChoreParts): Promise<Chore[]> {
  const { store, masterKeys, domain } = parts;
  const { auditHeads, receipts } = store;
  const signer = await loadProofSigner(store.ownSecrets, createSecretSealer(masterKeys));
  const sealAndTell = createSealer(parts, signer);
  const issue = createIssueReceipts({ store: receipts, signer, domain });
  return [
    createReceiptChore(receipts.anyDue, issue, sealAndTell),
    createSealChore(auditHeads.unsealed, sealAndTell),
  ];
}

export interface Proof {
  readonly signer: ProofSigner;
  readonly receipts: IssueReceipts;
}

export async function openProof(
  store: Pick<Store, 'ownSecrets' | 'receipts'>,
  masterKeys: MasterKeyRing,
  domain: string,
): Promise<Proof> {
  const signer = await loadProofSigner(store.ownSecrets, createSecretSealer(masterKeys));
  return { signer, receipts: createIssueReceipts({ store: store.receipts, signer, domain }) };
}
