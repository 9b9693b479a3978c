// Signing receipts and proving what is in the audit log: for the worker's chores, the server and the command
// line.
import type { TellAlarms } from '../../alarms/watch-chores.ts';
import { postToWebhook } from '../../alarms/webhook.ts';
import { createCutAudit } from '../../audit/cut-audit.ts';
import { type LiveProofSigner, loadProofSigner } from '../../audit/proof-key.ts';
import { createAuditProofs } from '../../audit/prove/audit-proofs.ts';
import { openReceiptProver } from '../../audit/prove/prove-receipt.ts';
import { chainProblem } from '../../audit/published-key.ts';
import { createSealChore, createSealDue, HOW_TO_GO_ON } from '../../audit/seal-chore.ts';
import { createWitnessChore, createWitnessDue } from '../../audit/witness/witness-chore.ts';
import type { Config } from '../../config/config.ts';
import { anAlarm } from '../../domain/alarm/alarm.ts';
import type { ConditionStore } from '../../domain/alarm/alarm-ports.ts';
import type { AuditProofs } from '../../domain/audit/proof-documents.ts';
import type { Chore, DueChore } from '../../domain/chore.ts';
import type { Clock } from '../../domain/clock.ts';
import type { RefusedReceipt } from '../../domain/receipt/receipt.ts';
import { isSandboxStore } from '../../domain/store/sandbox.ts';
import type { DueStore, Store, WorkStore } from '../../domain/store/store.ts';
import { createIssueReceipts, type IssueReceipts } from '../../receipts/issue-receipts.ts';
import { createReceiptChore, createReceiptsDue } from '../../receipts/receipt-chore.ts';
import type { CutSome } from '../../retention/forget-chore.ts';
import type { MasterKeyRing } from '../../vault/master-key.ts';
import { createSecretSealer } from '../../vault/seal-secret.ts';
import { createTellAlarms } from '../alarms.ts';
import { createSealer, createTampered, type HeadsElsewhere } from './sealing.ts';

/** Plain data, because it is passed to a thread. */
export interface WitnessSettings {
  readonly webhook: string | undefined;
  readonly allowPrivate: boolean | readonly string[];
  readonly file: string | undefined;
}

export interface ProofChoreParts extends Omit<HeadsElsewhere, 'witnessFile'> {
  readonly store: WorkStore;
  readonly masterKeys: MasterKeyRing;
  readonly domain: string;
  readonly retentionMs: number;
  readonly witness: WitnessSettings;
  readonly clock: Clock;
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
  const { store, masterKeys, writeDownHead, domain, retentionMs, witness, clock, log } = parts;
  const { auditHeads, receipts, pauses, conditions: alarms } = store;
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), clock());
  const verifySignature = signer.verify;
  const warn = (fields: object, message: string) => log('warn', fields, message);
  const tampered = createTampered(alarms, createTellAlarms(warn));
  const { webhook: url, allowPrivate, file: witnessFile } = witness;
  const proofs = createProofs(signer, { auditHeads, receipts });
  const sealAndTell = createSealer({
    auditHeads,
    alarms,
    pauses,
    signer,
    writeDownHead,
    witnessFile,
    log,
  });
  const issue = createIssuing(signer, {
    store: receipts,
    domain,
    isSandbox: await isSandboxStore(store.ownSecrets),
    seal: sealAndTell,
    openProver: (now) => openReceiptProver(auditHeads, verifySignature, now),
    refused: createRefused(alarms, createTellAlarms(warn)),
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
              store: store.witness,
              proofs,
              domain,
              clock,
              // Not signed: the head in it is.
              post: (message) =>
                postToWebhook(
                  { url, secret: undefined, allowPrivate },
                  {
                    id: `head_${message.head.head_no}`,
                    contentType: 'application/json',
                    body: JSON.stringify(message),
                  },
                  clock(),
                ),
              failed: (reason, failures) =>
                warn(
                  { reason, failures },
                  'a head could not be posted to audit.witness_webhook; tried again',
                ),
            }),
          ]),
    ],
    async cutAudit(now) {
      const done = await signer.withNewestKeys(() => cut(now));
      if (done.damage !== undefined) {
        await tampered(`${done.damage}: no more rows are cut for their age. ${HOW_TO_GO_ON}`, now);
      }
      return done;
    },
  };
}

/** One alarm for each request, because each has its own reason. */
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
  readonly signer: LiveProofSigner;
  readonly proofs: AuditProofs;
  readonly receipts: IssueReceipts;
  readonly seal: ReturnType<typeof createSealer>;
}

/** Used by callers that do not seal. */
const NOWHERE: HeadsElsewhere = {
  writeDownHead: async () => undefined,
  witnessFile: undefined,
  log: () => undefined,
};

export async function openProof(
  store: Pick<
    Store,
    'ownSecrets' | 'proofKeys' | 'receipts' | 'auditHeads' | 'alarms' | 'pauses' | 'clock'
  >,
  masterKeys: MasterKeyRing,
  domain: string,
  elsewhere: HeadsElsewhere = NOWHERE,
): Promise<Proof> {
  const { auditHeads, alarms, pauses } = store;
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), store.clock());
  const warn = (fields: object, message: string) => elsewhere.log('warn', fields, message);
  const seal = createSealer({ ...elsewhere, auditHeads, alarms, pauses, signer });
  const receipts = createIssuing(signer, {
    store: store.receipts,
    domain,
    isSandbox: await isSandboxStore(store.ownSecrets),
    openProver: (now) => openReceiptProver(auditHeads, signer.verify, now),
    refused: createRefused(alarms, createTellAlarms(warn)),
    seal,
  });
  return { signer, proofs: createProofs(signer, store), receipts, seal };
}

function createIssuing(
  signer: LiveProofSigner,
  parts: Omit<Parameters<typeof createIssueReceipts>[0], 'signer'>,
): IssueReceipts {
  const receipts = createIssueReceipts({ ...parts, signer });
  const { withNewestKeys } = signer;
  return {
    issueSome: (now) => withNewestKeys(() => receipts.issueSome(now)),
    receiptsOf: (request, now) => withNewestKeys(() => receipts.receiptsOf(request, now)),
  };
}

function createProofs(
  { verify, withNewestKeys }: LiveProofSigner,
  { auditHeads, receipts }: Pick<Store, 'auditHeads' | 'receipts'>,
): AuditProofs {
  const proofs = createAuditProofs({ tree: auditHeads, receipts, verifySignature: verify });
  return {
    newestHead: () => withNewestKeys(() => proofs.newestHead()),
    consistency: (from, to) => withNewestKeys(() => proofs.consistency(from, to)),
    receipt: (request, receiptNo) => withNewestKeys(() => proofs.receipt(request, receiptNo)),
  };
}

/**
 * Before a server starts: throws if the key is damaged or was replaced, and reports missing keys.
 */
export async function checkProofKeys(
  store: Pick<Store, 'ownSecrets' | 'proofKeys' | 'alarms' | 'clock'>,
  masterKeys: MasterKeyRing,
  tell: TellAlarms,
): Promise<void> {
  const now = store.clock();
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), now);
  if (signer.unusable !== undefined) throw signer.unusable;
  const problem = chainProblem(signer.published);
  if (problem !== undefined) await createTampered(store.alarms, tell)(problem, now);
}

/** Replaces the key when it is old; if several nodes notice it at once, one of them does. */
export async function replaceOldProofKey(
  store: Pick<Store, 'ownSecrets' | 'proofKeys' | 'clock'>,
  masterKeys: MasterKeyRing,
  { proofKeyRotation }: Pick<Config, 'proofKeyRotation'>,
): Promise<void> {
  const now = store.clock();
  const signer = await loadProofSigner(store, createSecretSealer(masterKeys), now);
  // The reason is reported with the heads that are not signed.
  if (signer.unusable !== undefined) return;
  const created = signer.published.at(-1)?.createdTime ?? now;
  if (created + proofKeyRotation * 1000 <= now) await signer.rotate({ actor: 'system', now });
}
