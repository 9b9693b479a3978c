// What seals the audit log and signs receipts: for the worker's chores, the server and the command line.
import { createHeadFile } from '../audit/head-file.ts';
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

export interface ProofChoreParts {
  readonly store: WorkStore;
  readonly masterKeys: MasterKeyRing;
  readonly dataDir: string;
  readonly domain: string;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export function createProofDueChores({ auditHeads, receipts }: DueStore): DueChore[] {
  return [createSealDue(auditHeads.unsealed), createReceiptsDue(receipts.anyDue)];
}

export async function createProofChores(parts: ProofChoreParts): Promise<Chore[]> {
  const { store, masterKeys, dataDir, domain, log } = parts;
  const { auditHeads, receipts } = store;
  const signer = await loadProofSigner(store.ownSecrets, createSecretSealer(masterKeys));
  const sealAndTell = createSealAndTell(
    createSealAudit(auditHeads, signer),
    createHeadFile(dataDir),
    {
      sealed: (fields) => log('info', fields, 'the audit log is sealed'),
      warn: (fields, message) => log('warn', fields, message),
    },
  );
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
