// Builds what the routes of the operator API work with. Heavy modules are loaded on first use.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { testOf } from '../../alarms/send-alarm.ts';
import { makeSigningKey } from '../../auth/signing-keys.ts';
import type { Config } from '../../config/config.ts';
import { showSettings } from '../../config/show.ts';
import { SQLITE } from '../../config/store-kind.ts';
import type { DatedCertificate } from '../../domain/certificate/validity.ts';
import { planTask } from '../../fulfilment/start/plan-request.ts';
import type { OperatorContext, OperatorSettings } from '../../http/operator/context.ts';
import { checkTarget } from '../../operator/target/check-target.ts';
import type { Log } from '../../telemetry/log.ts';
import { createSecretSealer } from '../../vault/seal-secret.ts';
import { alarmReceivers } from '../alarms.ts';
import type { Installation } from '../installation.ts';
import { openProof, type Proof } from '../proof/proof.ts';
import type { LiveConfig } from '../settings/live-config.ts';
import type { ReloadSettings } from '../settings/reload-settings.ts';
import { VERSION } from '../version.ts';
import { rotationParts } from './access.ts';

export interface OperatorContextParts {
  /** As at start: what a reload cannot change. */
  readonly config: Config;
  readonly live: LiveConfig;
  readonly reload: ReloadSettings;
  readonly installation: Installation;
  readonly log: Log;
  readonly notReadyBecause: () => Promise<string[]>;
  readonly processorCertificate: (() => DatedCertificate) | undefined;
}

export function createOperatorContext(parts: OperatorContextParts): OperatorContext {
  const { config, live, installation } = parts;
  const proof = lazily(() => openOwnProof(parts));
  const { store, identities, signingKeys, vaultKeys } = installation;
  return {
    store,
    identities,
    notReadyBecause: parts.notReadyBecause,
    processorCertificate: () => parts.processorCertificate?.(),
    settings: () => settingsOf(live.current()),
    reload: parts.reload,
    ...lookingAtTargets(() => live.current()),
    receipts: {
      issue: async (request) => (await proof()).receipts.receiptsOf(request, store.clock()),
      async render(document) {
        const { renderReceipt } = await import('../../receipts/render-receipt.ts');
        return renderReceipt(document);
      },
    },
    audit: auditOf(parts, proof),
    async exportEvidence(query, write, by) {
      const { exportArchive } = await import('./export-archive.ts');
      return exportArchive({ store, proof: await proof(), config }, query, write, by);
    },
    keys: rotationParts(installation, live.current),
    async signClosing(facts) {
      const { openClosing } = await import('../proof/closing.ts');
      const sign = await openClosing(store, vaultKeys.ring, live.current());
      return sign(facts);
    },
    async rotateSigningKey(isRevoking, actor) {
      const key = makeSigningKey(createSecretSealer(vaultKeys.ring), store.clock());
      await store.signingKeys.addSigningKey(key, isRevoking ? 'revoke' : 'retire', actor);
      return key.kid;
    },
    async issueToken({ clientId, controllerId }) {
      const { createTokens } = await import('../api.ts');
      const tokens = createTokens(config, signingKeys, store.clock);
      return tokens.issue({ clientId, controllerId, secretId: null });
    },
    async lookAtStore() {
      const { createCommandWatch } = await import('../restored-store.ts');
      return (await createCommandWatch(store, vaultKeys.ring, live.current())).lookClosely();
    },
    testAlarm: () => testOf(alarmReceivers(live.current())),
    shownSettings() {
      const given = live.given();
      return {
        file: given.file ?? null,
        settings: showSettings({ ...given, config: live.current(), warnings: [] }),
      };
    },
    system: () => ({
      version: VERSION,
      storeKind: config.store === SQLITE ? 'sqlite' : 'postgres',
      startedTime: Math.round(performance.timeOrigin),
      configuration: live.digest(),
      certificate: certificateOf(config),
      masterKeyFile: vaultKeys.file,
    }),
  };
}

/** The settings that routes may see. */
function settingsOf(config: Config): OperatorSettings {
  const { targets, cancellationWindow, maxStartsPerDay, sso, publicUrl, audience, role } = config;
  const sendsEvents = config.eventsWebhook !== undefined;
  return {
    targets,
    cancellationWindow,
    maxStartsPerDay,
    sso,
    publicUrl,
    audience,
    role,
    sendsEvents,
  };
}

function lookingAtTargets(
  current: () => Pick<Config, 'targets' | 'domain'>,
): Pick<OperatorContext, 'look' | 'check' | 'suggest' | 'planTask'> {
  const withConnectors = async <T>(
    work: (open: ReturnType<typeof import('../connectors.ts').openConnectorsToLook>) => Promise<T>,
  ) => {
    const { openConnectorsToLook } = await import('../connectors.ts');
    const connectors = openConnectorsToLook(current().domain);
    try {
      return await work(connectors);
    } finally {
      await connectors.close();
    }
  };
  return {
    check: (target) => withConnectors(({ connectorOf }) => checkTarget(target, connectorOf)),
    look: (subject, facts) =>
      withConnectors(async ({ connectorOf }) => {
        const { createPreviewRequest } = await import('../../fulfilment/preview-request.ts');
        return createPreviewRequest(current().targets, connectorOf, facts)(subject);
      }),
    async suggest({ name, connector, address }) {
      const { suggestPlanFor } = await import('../connectors.ts');
      return suggestPlanFor({
        name,
        connector,
        address,
        written: null,
        tenancy: [],
        tenantColumn: null,
      });
    },
    planTask,
  };
}

function openOwnProof({ config, installation, log }: OperatorContextParts): Promise<Proof> {
  return openProof(installation.store, installation.vaultKeys.ring, config.domain, {
    // The newest head is compared and written down every second.
    writeDownHead: async () => undefined,
    witnessFile: config.auditWitnessFile,
    log: (level, fields, message) => log[level](fields, message),
  });
}

/** After a failure, the next call tries again. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function auditOf(
  { config, installation }: OperatorContextParts,
  proof: () => Promise<Proof>,
): OperatorContext['audit'] {
  const { store } = installation;
  return {
    proofs: async () => (await proof()).proofs,
    async keys() {
      const { signer } = await proof();
      return signer.withNewestKeys(async () => ({
        keyId: signer.keyId,
        publicKey: signer.publicKey,
        published: signer.published,
      }));
    },
    async rotateKey(by) {
      await (await proof()).signer.rotate(by);
    },
    async accept(reason, by) {
      const { acceptDamage, readAuditBeside } = await import('./read-audit.ts');
      const readAudit = readAuditBeside(config, store);
      const parts = { store, proof: await proof(), readAudit, dataDir: config.dataDir };
      return acceptDamage(parts, reason, by);
    },
    async verify(known) {
      const { signer } = await proof();
      const { readAuditBeside, verifyStoredAudit } = await import('./read-audit.ts');
      const readAudit = readAuditBeside(config, store);
      return signer.withNewestKeys(() =>
        verifyStoredAudit(readAudit, config.dataDir, {
          verifySignature: signer.verify,
          known,
          signer,
          now: store.clock(),
          isAuthentic: store.auditHeads.isAuthentic,
        }),
      );
    },
    async verifyReceipt(receipt, heads) {
      const { signer } = await proof();
      const { verifyGivenReceipt } = await import('./verify-given-receipt.ts');
      return signer.withNewestKeys(async () => verifyGivenReceipt(receipt, heads, signer.verify));
    },
    async export(since, write) {
      const { signer } = await proof();
      const { readAuditBeside } = await import('./read-audit.ts');
      const { exportAudit } = await import('../../audit/export/export-audit.ts');
      await readAuditBeside(
        config,
        store,
      )(async (tree) => {
        for await (const line of exportAudit(tree, signer, since, store.clock())) {
          await write(line);
        }
      });
    },
  };
}

function certificateOf({ tlsCertificate }: Config): { subject: string; notAfter: number } | null {
  if (tlsCertificate === undefined) return null;
  const certificate = new X509Certificate(readFileSync(tlsCertificate));
  return { subject: certificate.subject, notAfter: Date.parse(certificate.validTo) };
}
