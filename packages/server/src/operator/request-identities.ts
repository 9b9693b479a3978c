// What the command line needs of the vault: a request's identities, sealed and opened.
import type { Installation } from '../app/service.ts';
import type { Identity } from '../domain/request/identity.ts';
import type { RequestKey } from '../domain/request/request.ts';
import type { TaskOperator } from '../domain/task/operator-ports.ts';
import type { ControllerId } from '../domain/tenant/controller-id.ts';
import { createOpenIdentities } from '../fulfilment/open-subjects.ts';
import { createIdentityDigest } from '../vault/digest-identities.ts';
import { loadOwnSecret } from '../vault/own-secret.ts';
import { createIdentityVault } from '../vault/seal-identities.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';

export async function sealForRequest(
  { store, vaultKeys }: Installation,
  request: RequestKey,
  identities: readonly Identity[],
): Promise<Parameters<TaskOperator['identify']>[1]> {
  return {
    sealed: createIdentityVault(vaultKeys.ring).seal(request, identities),
    digests: await digestsFor({ store, vaultKeys }, request.controllerId, identities),
  };
}

export async function digestsFor(
  { store, vaultKeys }: Pick<Installation, 'store' | 'vaultKeys'>,
  controllerId: ControllerId,
  identities: readonly Identity[],
): Promise<Uint8Array[]> {
  const sealer = createSecretSealer(vaultKeys.ring);
  const key = await loadOwnSecret(store.ownSecrets, sealer, 'identity digests');
  const digest = createIdentityDigest(key);
  return identities.map((identity) => digest(controllerId, identity));
}

export async function openForRequest(
  { store, vaultKeys }: Installation,
  request: RequestKey,
): Promise<Identity[]> {
  const open = createOpenIdentities(createIdentityVault(vaultKeys.ring).open);
  return open(request, await store.tasks.sealedIdentities(request));
}
