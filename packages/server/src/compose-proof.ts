// What seals the audit log and signs receipts: for the worker's chores, the server and the command line.
import type { DatabaseSync } from 'node:sqlite';
import { createHeadFile } from './audit/head-file.ts';
import { loadProofSigner } from './audit/proof-key.ts';
import { createSealAudit } from './audit/seal-audit.ts';
import { createSealAndTell, createSealChore, createSealDue } from './audit/seal-chore.ts';
import type { Chore, DueChore } from './domain/chore.ts';
import type { OwnSecretStore } from './domain/ports.ts';
import type { ProofSigner } from './domain/proof-ports.ts';
import type { ReceiptStore } from './domain/receipt.ts';
import { createIssueReceipts, type IssueReceipts } from './receipts/issue-receipts.ts';
import { createReceiptChore, createReceiptsDue } from './receipts/receipt-chore.ts';
import { createAuditHeadStore } from './store/sqlite/audit-heads.ts';
import { createOwnSecretStore } from './store/sqlite/own-secrets.ts';
import { createReceiptStore, prepareReceiptsDue } from './store/sqlite/receipts.ts';
import { prepareUnsealedAudit } from './store/sqlite/unsealed-audit.ts';
import type { MasterKeyRing } from './vault/master-key.ts';
import { createSecretSealer } from './vault/seal-secret.ts';

export interface ProofChoreParts {
  readonly database: DatabaseSync;
  readonly masterKeys: MasterKeyRing;
  readonly dataDir: string;
  readonly domain: string;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export function createProofDueChores(reader: DatabaseSync): DueChore[] {
  return [
    createSealDue(prepareUnsealedAudit(reader)),
    createReceiptsDue(prepareReceiptsDue(reader)),
  ];
}

export function createProofChores(parts: ProofChoreParts): Chore[] {
  const { database, masterKeys, dataDir, domain, log } = parts;
  const signer = loadProofSigner(createOwnSecretStore(database), createSecretSealer(masterKeys));
  const sealAndTell = createSealAndTell(
    createSealAudit(createAuditHeadStore(database), signer),
    createHeadFile(dataDir),
    {
      sealed: (fields) => log('info', fields, 'the audit log is sealed'),
      warn: (fields, message) => log('warn', fields, message),
    },
  );
  const store = createReceiptStore(database);
  const issue = createIssueReceipts({ store, signer, domain });
  return [
    createReceiptChore(store.anyDue, issue, sealAndTell),
    createSealChore(prepareUnsealedAudit(database), sealAndTell),
  ];
}

export interface Proof {
  readonly signer: ProofSigner;
  readonly receipts: IssueReceipts;
}

export function openProof(
  store: { readonly ownSecrets: OwnSecretStore; readonly receipts: ReceiptStore },
  masterKeys: MasterKeyRing,
  domain: string,
): Proof {
  const signer = loadProofSigner(store.ownSecrets, createSecretSealer(masterKeys));
  return { signer, receipts: createIssueReceipts({ store: store.receipts, signer, domain }) };
}
