// What the command line needs of the vault: a request's identities, sealed and opened.
import type { Installation } from './compose.ts';
import type { ControllerId } from './domain/controller-id.ts';
import type { Identity } from './domain/identity.ts';
import type { TaskOperator } from './domain/operator-ports.ts';
import type { RequestKey } from './domain/request.ts';
import { createOpenIdentities } from './fulfilment/open-subjects.ts';
import { createIdentityDigest } from './vault/digest-identities.ts';
import { loadOwnSecret } from './vault/own-secret.ts';
import { createIdentityVault } from './vault/seal-identities.ts';
import { createSecretSealer } from './vault/seal-secret.ts';

export function sealForRequest(
  { store, vaultKeys }: Installation,
  request: RequestKey,
  identities: readonly Identity[],
): Parameters<TaskOperator['identify']>[1] {
  return {
    sealed: createIdentityVault(vaultKeys.ring).seal(request, identities),
    digests: digestsFor({ store, vaultKeys }, request.controllerId, identities),
  };
}

export function digestsFor(
  { store, vaultKeys }: Pick<Installation, 'store' | 'vaultKeys'>,
  controllerId: ControllerId,
  identities: readonly Identity[],
): Uint8Array[] {
  const sealer = createSecretSealer(vaultKeys.ring);
  const digest = createIdentityDigest(loadOwnSecret(store.ownSecrets, sealer, 'identity digests'));
  return identities.map((identity) => digest(controllerId, identity));
}

export function openForRequest(
  { store, vaultKeys }: Installation,
  request: RequestKey,
): Identity[] {
  const open = createOpenIdentities(createIdentityVault(vaultKeys.ring).open);
  return open(request, store.tasks.sealedIdentities(request));
}
