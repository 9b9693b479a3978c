// Connectors for commands that look at targets and change nothing.
import { createSecretKey, randomBytes } from 'node:crypto';
import { createConnector } from './connectors/create-connector.ts';
import { type ConnectorsInUse, createConnectorsInUse } from './fulfilment/connectors-in-use.ts';
import { createOverwriteHash } from './vault/own-secret.ts';

/** Nothing is overwritten, so hashes need no key that lasts, and no store. */
export function openConnectorsToLook(): ConnectorsInUse {
  const key = createSecretKey(randomBytes(32));
  return createConnectorsInUse((target) =>
    createConnector(target, { hash: createOverwriteHash(key, target.name) }),
  );
}
