import type { Command } from 'commander';
import { makeSigningKey } from '../../auth/signing-keys.ts';
import { signingKeyShape } from '../../operator/keys/signing-key-shape.ts';
import { createSecretSealer } from '../../vault/seal-secret.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, time } from '../shared/output.ts';

export function addSigningKeyCommands(program: Command): void {
  const signingKey = program
    .command('signing-key')
    .description('Keys that sign access tokens; the server also rotates them');

  const list = signingKey.command('list').description('List the keys');
  withJson(withSettings(list)).action(({ json }: { json?: boolean }) =>
    withInstallation(list, async ({ store }) => {
      const keys = await store.signingKeys.signingKeys();
      if (json) {
        printJson(keys.map(signingKeyShape));
      } else {
        printTable(
          ['kid', 'created', 'retired', 'revoked'],
          keys.map((key) => [
            key.kid,
            ...[key.createdTime, key.retiredTime, key.revokedTime].map(time),
          ]),
        );
      }
    }),
  );

  const rotate = signingKey
    .command('rotate')
    .description('Sign with a new key; older tokens stay valid until they expire')
    .option('--revoke', 'Refuse all older tokens within 10 seconds: for a key that leaked');
  withActor(withJson(withSettings(rotate))).action(
    ({ revoke, json }: { revoke?: boolean; json?: boolean }) =>
      withInstallation(rotate, async ({ store, vaultKeys }) => {
        const key = makeSigningKey(createSecretSealer(vaultKeys.ring), store.clock());
        await store.signingKeys.addSigningKey(key, revoke ? 'revoke' : 'retire', actorOf(rotate));
        if (json) printJson({ kid: key.kid, older_keys: revoke ? 'revoked' : 'retired' });
        else printLines(`Tokens are now signed with ${key.kid}.`);
      }),
  );
}
