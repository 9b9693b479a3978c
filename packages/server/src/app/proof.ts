// What seals the audit log and signs receipts: for the worker's chores, the server and the command line.
import type { TellAlarms } from '../alarms/watch-chores.ts';
import { postAlarm } from '../alarms/webhook.ts';
import { createCutAudit } from '../audit/cut-audit.ts';
import { createHeadFile } from '../audit/head-file.ts';
import { createSignatureVerifier, loadProofSigner } from '../audit/proof-key.ts';
import { createAuditProofs, headDocument } from '../audit/prove/audit-proofs.ts';
import { openReceiptProver } from '../audit/prove/prove-receipt.ts';
import { createSealAudit } from '../audit/seal-audit.ts';
import {
  createSealAndTell,
  createSealChore,
  createSealDue,
  type SealReport,
} from '../audit/seal-chore.ts';
import { createWitnessChore, createWitnessDue } from '../audit/witness/witness-chore.ts';
import { appendToWitness } from '../audit/witness/witness-file.ts';
import type { Config } from '../config/config.ts';
import { anAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import type { AuditProofs } from '../domain/audit/proof-documents.ts';
import type { ProofSigner } from '../domain/audit/proof-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import { dayOf } from '../domain/limit/day.ts';
import type { RefusedReceipt } from '../domain/receipt/receipt.ts';
import type { DueStore, Store, WorkStore } from '../domain/store/store.ts';
import { createIssueReceipts, type IssueReceipts } from '../receipts/issue-receipts.ts';
import { createReceiptChore, createReceiptsDue } from '../receipts/receipt-chore.ts';
import type { CutSome } from '../retention/forget-chore.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';
import { createTellAlarms } from './alarms.ts';

/** Plain data: it is handed to a thread. */
export interface WitnessSettings {
  readonly webhook: string | undefined;
  readonly file: string | undefined;
}

export interface ProofChoreParts {
  readonly store: WorkStore;
  readonly masterKeys: MasterKeyRing;
  readonly dataDir: string;
  readonly domain: string;
  readonly retentionMs: number;
  readonly witness: WitnessSettings;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export function createProofDueChores(store: DueStore, { webhook }: WitnessSettings): DueChore[] {
  const { auditHeads, receipts, witness } = store;
  return [
    createSealDue(auditHeads.unsealed),
    createReceiptsDue(receipts.anyDue),
    ...(webhook === undefined ? [] : [createWitnessDue(witness)]),
  ];
}

export interface ProofChores {
  readonly chores: readonly Chore[];
  readonly cutAudit: CutSome;
}

export async function createProofChores(parts: ProofChoreParts): Promise<ProofChores> {
  const { store, masterKeys, dataDir, domain, retentionMs, witness, clock, log } = parts;
  const { auditHeads, receipts } = store;
  const signer = await loadProofSigner(store.ownSecrets, createSecretSealer(masterKeys));
  const verifySignature = createSignatureVerifier([signer.publicKey]);
  const warn = (fields: object, message: string) => log('warn', fields, message);
  const tampered = createTampered(store.conditions, createTellAlarms(warn));
  const { webhook: url, file } = witness;
  const proofs = createAuditProofs({ tree: auditHeads, receipts, verifySignature });
  const sealAndTell = createSealAndTell(
    createSealAudit(auditHeads, signer, verifySignature),
    createHeadFile(dataDir),
    {
      sealed: (fields) => log('info', fields, 'the audit log is sealed'),
      warn,
      tampered,
    },
    file === undefined ? undefined : (head) => appendToWitness(file, headDocument(head)),
  );
  const issue = createIssueReceipts({
    ...{ store: receipts, signer, domain, seal: sealAndTell },
    openProver: () => openReceiptProver(auditHeads, verifySignature),
    refused: createRefused(store.conditions, createTellAlarms(warn)),
  });
  const cut = createCutAudit({ store: auditHeads, signer, verifySignature, retentionMs });
  return {
    chores: [
      createReceiptChore(receipts.anyDue, issue, sealAndTell),
      createSealChore(auditHeads.unsealed, sealAndTell),
      ...(url === undefined
        ? []
        : [
            createWitnessChore({
              ...{ store: store.witness, proofs, domain, clock },
              post: (message) => postAlarm({ url, secret: undefined }, message, clock()),
              failed: (reason, failures) =>
                warn(
                  { reason, failures },
                  'a head could not be posted to audit.witness_webhook; tried again',
                ),
            }),
          ]),
    ],
    async cutAudit(now) {
      const done = await cut(now);
      if (done.strangeHead !== undefined) {
        await tampered(
          `head ${done.strangeHead} of the audit log is not as it was signed, so no older rows are cut: "unwrite audit verify" says what is wrong`,
          now,
        );
      }
      return done;
    },
  };
}

/** Once a day for each message. */
function createTampered(store: Pick<ConditionStore, 'raise'>, tell: TellAlarms) {
  return async (message: string, now: number): Promise<void> => {
    const subject = `${dayOf(now)} ${message}`;
    tell(await store.raise([anAlarm('audit_tampered', subject, message, now)]));
  };
}

/** One alarm a request: each has a reason of its own. */
function createRefused(store: Pick<ConditionStore, 'raise'>, tell: TellAlarms) {
  return async (refused: readonly RefusedReceipt[], now: number): Promise<void> => {
    const alarms = refused.map(({ requestNo, controllerId, reason }) => {
      const message = `its receipt is not signed: ${reason}. "unwrite receipt <subject_request_id>" says what to do`;
      const about = { requestNo, controllerId };
      return anAlarm('receipt_refused', `request ${requestNo}`, message, now, about);
    });
    tell(await store.raise(alarms));
  };
}

export interface Proof {
  readonly signer: ProofSigner;
  readonly proofs: AuditProofs;
  readonly receipts: IssueReceipts;
}

const NO_REPORT: SealReport = {
  sealed: () => undefined,
  warn: () => undefined,
  tampered: async () => undefined,
};

export async function openProof(
  store: Pick<Store, 'ownSecrets' | 'receipts' | 'auditHeads' | 'alarms'>,
  masterKeys: MasterKeyRing,
  { domain, dataDir }: Pick<Config, 'domain' | 'dataDir'>,
  report: SealReport = NO_REPORT,
): Promise<Proof> {
  const { auditHeads, alarms } = store;
  const signer = await loadProofSigner(store.ownSecrets, createSecretSealer(masterKeys));
  const verifySignature = createSignatureVerifier([signer.publicKey]);
  const receipts = createIssueReceipts({
    ...{ store: store.receipts, signer, domain },
    openProver: () => openReceiptProver(auditHeads, verifySignature),
    refused: createRefused(alarms, createTellAlarms(report.warn)),
    seal: createSealAndTell(
      createSealAudit(auditHeads, signer, verifySignature),
      createHeadFile(dataDir),
      report,
    ),
  });
  const proofs = createAuditProofs({ tree: auditHeads, receipts: store.receipts, verifySignature });
  return { signer, proofs, receipts };
}
