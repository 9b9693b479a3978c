// Finds other requests that had the same people erased, even if their digests were made with another key.
import type { Identity } from '../../domain/request/identity.ts';
import type { Subject } from '../../domain/target/connector.ts';
import type { AskedTask } from '../../domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';

/** Digests with all keys; empty if there is only one key. */
export type DigestAcross = (controllerId: ControllerId, identity: Identity) => Uint8Array[];

export const askFor =
  (digestAcross: DigestAcross) =>
  ({ subject: { taskNo, controllerId, identities } }: { subject: Subject }): AskedTask => ({
    taskNo,
    digests: identities.flatMap((identity) => digestAcross(controllerId, identity)),
  });
