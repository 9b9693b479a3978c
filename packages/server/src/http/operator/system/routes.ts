// Settings, health, nodes, keys.
import { hostname } from 'node:os';
import { NotPossible } from '../../../domain/task/operator-ports.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time-units.ts';
import { isoTime } from '../../../operator/iso-time.ts';
import { listKeys } from '../../../operator/keys/list-keys.ts';
import { rotateKeys } from '../../../operator/keys/rotate-keys.ts';
import { signingKeyShape } from '../../../operator/keys/signing-key-shape.ts';
import { nodeShape } from '../../../operator/node-shape.ts';
import { certificateShape } from '../../../operator/overview/certificate.ts';
import type { OperatorContext } from '../context.ts';
import type { DefineRoute } from '../shared/route.ts';
import { flag, list, maybeTime, oneOf, record, text } from '../shared/shapes.ts';
import { keysShape, nodeShape as nodeSchema, settingsShape, systemShape } from './shapes.ts';

const TAG = 'System';
/** Limit, because counting millions of sealed rows takes seconds. */
const MAX_SEALED = 20_000;

export function systemRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, keys, settings } = context;
  route({
    method: 'GET',
    path: '/settings',
    role: 'viewer',
    id: 'getSettings',
    tag: TAG,
    summary: 'The settings in force and where each comes from; secrets are masked',
    answer: settingsShape,
    handle: () => context.shownSettings(),
  });
  route({
    method: 'POST',
    path: '/settings/reload',
    role: 'admin',
    id: 'reloadSettings',
    tag: TAG,
    summary: 'Take over the changed settings on this node: all of them, or none with the reasons',
    description: 'Other nodes are reloaded by themselves; GET /nodes shows where settings differ.',
    answer: record({ changed: list(text), configuration: text }),
    errors: [409],
    async handle({ by }) {
      const reloaded = await context.reload(by.actor);
      if (!reloaded.ok) {
        throw new NotPossible(`the settings stay as they were: ${reloaded.reasons.join('; ')}`);
      }
      return { changed: reloaded.changed, configuration: context.system().configuration };
    },
  });
  route({
    method: 'GET',
    path: '/system',
    role: 'viewer',
    id: 'getSystem',
    tag: TAG,
    summary: 'This node: version, health, store, certificates',
    answer: systemShape,
    async handle() {
      const facts = context.system();
      const reasons = await context.notReadyBecause();
      const { certificate } = facts;
      return {
        version: facts.version,
        node_version: process.version,
        store: facts.storeKind,
        role: settings().role,
        started_time: isoTime(facts.startedTime),
        ready: reasons.length === 0,
        reasons,
        public_url: settings().publicUrl,
        processor_certificate: certificateShape(context.processorCertificate(), store.clock()),
        certificate: certificate && {
          subject: certificate.subject,
          not_after: isoTime(certificate.notAfter),
          days_left: Math.floor((certificate.notAfter - Date.now()) / DAY_MS),
        },
        master_keys_from: facts.masterKeyFile === null ? 'environment' : 'file',
      };
    },
  });
  route({
    method: 'GET',
    path: '/nodes',
    role: 'viewer',
    id: 'listNodes',
    tag: TAG,
    summary: 'The nodes of the last hour, and what each works on; an SQLite store has one',
    answer: record({ items: list(nodeSchema) }),
    async handle() {
      const now = store.clock();
      if (store.nodes === null) return { items: [thisNode(context, now)] };
      const nodes = await store.nodes.nodes(now - HOUR_MS);
      return { items: nodes.map((it) => nodeShape(it, now)) };
    },
  });
  route({
    method: 'GET',
    path: '/keys',
    role: 'viewer',
    id: 'listKeys',
    tag: TAG,
    summary: 'Master keys and signing keys by their ids; a key is never shown',
    description:
      'sealed counts what each seals, among the oldest 20,000 of each kind; capped: there are more. "unwrite keys list" counts all.',
    answer: keysShape,
    handle: async () => ({
      items: await listKeys(store, keys.access, keys.retentionBackupsMs(), MAX_SEALED),
      signing_keys: (await store.signingKeys.signingKeys()).map(signingKeyShape),
    }),
  });
  route({
    method: 'POST',
    path: '/keys/rotate',
    role: 'admin',
    id: 'rotateKeys',
    tag: TAG,
    summary: 'Seal with a new master key, and reseal everything with it',
    description:
      'done: false means that the server continues; GET /keys shows the progress. A key can be destroyed only at the command line.',
    answer: record({
      master_key: text,
      done: flag,
      retired: list(record({ master_key: text, destroyable_time: maybeTime })),
    }),
    errors: [409],
    handle: ({ by }) => rotateKeys(keys, by),
  });
  route({
    method: 'POST',
    path: '/signing-keys/rotate',
    role: 'admin',
    tag: TAG,
    id: 'rotateSigningKeys',
    summary: 'Sign access tokens with a new key; older tokens stay valid until they expire',
    body: {
      type: 'object',
      required: [],
      properties: {
        revoke: { type: 'boolean', description: 'Refuse all older tokens: for a key that leaked' },
      },
    },
    answer: record({ kid: text, older_keys: oneOf('revoked', 'retired') }),
    async handle({ body: { revoke = false }, by }) {
      const kid = await context.rotateSigningKey(revoke, by.actor);
      return { kid, older_keys: revoke ? 'revoked' : 'retired' };
    },
  });
}

/** With SQLite there are no other nodes, and none is registered. */
function thisNode(context: OperatorContext, now: number) {
  const { version, startedTime } = context.system();
  return {
    node: hostname(),
    host: hostname(),
    pid: process.pid,
    role: context.settings().role,
    version,
    started_time: isoTime(startedTime),
    seen_time: isoTime(now),
    is_alive: true,
    state: 'serving',
    configuration: context.system().configuration,
    batches: [],
  };
}
