// Reads and verifies the whole audit log while a server may be running, and accepts damage that was found: for the
// command line and the operator API.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAcceptDamage } from '../../audit/accept-damage.ts';
import type { LiveProofSigner } from '../../audit/proof-key.ts';
import { chainProblem } from '../../audit/published-key.ts';
import { type AuditVerdict, verifyAudit } from '../../audit/verify-audit.ts';
import type { Config } from '../../config/config.ts';
import { SQLITE } from '../../config/store-kind.ts';
import type {
  AuditHeadStore,
  AuditTree,
  Damage,
  KnownHead,
  VerifySignature,
} from '../../domain/audit/proof-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import { createHeadFile } from '../../restore/head-file.ts';
import type { Proof } from '../proof/proof.ts';

export type ReadAudit = Store['readAudit'];

/** Uses its own connection, which is busy until the end, and lets other work of the thread run in between. */
export function readAuditBeside(
  config: Config,
  { readAudit }: Pick<Store, 'readAudit'>,
): ReadAudit {
  if (config.store !== SQLITE) return (read) => readAudit((tree) => read(inTurns(tree)));
  return async (read) => {
    const { openDatabase } = await import('../../store/sqlite/open-database.ts');
    const { databaseOn } = await import('../../store/sqlite/database.ts');
    const { databasePathIn } = await import('../../store/sqlite/open-store.ts');
    const { createAuditChain } = await import('../../store/shared/audit/audit-chain.ts');
    const connection = openDatabase(databasePathIn(config.dataDir), 'read');
    try {
      return await databaseOn(connection).snapshot((sql) => read(inTurns(createAuditChain(sql))));
    } finally {
      connection.close();
    }
  };
}

function inTurns(tree: AuditTree): AuditTree {
  const turned = Object.entries(tree).map(([name, read]) => [
    name,
    async (...args: unknown[]) => {
      await nextTurn();
      return (read as (...given: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(turned) as AuditTree;
}

export interface GivenToVerify {
  readonly verifySignature: VerifySignature;
  readonly known: readonly KnownHead[];
  readonly signer: Pick<LiveProofSigner, 'published' | 'unusable'>;
  readonly now: number;
  readonly isAuthentic: AuditHeadStore['isAuthentic'];
}

/**
 * Compares with the heads that were given and those that this node has written to files; also reports problems
 * with the keys.
 */
export async function verifyStoredAudit(
  readAudit: ReadAudit,
  dataDir: string,
  { verifySignature, known: given, signer, now, isAuthentic }: GivenToVerify,
): Promise<AuditVerdict> {
  // Read before the log: the server may write a newer head meanwhile.
  const { heads, unreadable } = createHeadFile(dataDir).read();
  const known = [...heads, ...given];
  const verdict = await readAudit((tree) =>
    verifyAudit(tree, { verifySignature, known, now, isAuthentic }),
  );
  const lost = unreadable.map(
    (name) => `${name} in the data folder cannot be read: which head it knew is lost`,
  );
  const ofKeys = [chainProblem(signer.published), signer.unusable?.message];
  return {
    ...verdict,
    problems: [...verdict.problems, ...lost, ...ofKeys.flatMap((it) => it ?? [])],
  };
}

export interface AcceptDamageParts {
  readonly store: Pick<Store, 'auditHeads' | 'pauses'>;
  readonly proof: Pick<Proof, 'signer' | 'seal'>;
  readonly readAudit: ReadAudit;
  readonly dataDir: string;
}

export function acceptDamage(parts: AcceptDamageParts, reason: string, by: Actor): Promise<Damage> {
  const { store, proof, readAudit, dataDir } = parts;
  const { signer, seal } = proof;
  const { auditHeads, pauses } = store;
  const { isAuthentic } = auditHeads;
  const verifySignature = signer.verify;
  const expected = { verifySignature, known: [], signer, now: by.now, isAuthentic };
  const verify = () => verifyStoredAudit(readAudit, dataDir, expected);
  const accept = createAcceptDamage({ store: auditHeads, pauses, verifySignature, verify, seal });
  return signer.withNewestKeys(() => accept(reason, by));
}
