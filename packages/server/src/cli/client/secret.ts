import type { Command } from 'commander';
import { createProvision } from '../../auth/provision.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printLines, printTable, time } from '../shared/output.ts';

export function addClientSecretCommands(client: Command): void {
  const secret = client
    .command('secret')
    .description('Secrets of a client: add the new one, switch over, revoke the old one');

  const add = secret.command('add <client_id>').description('Add a secret; prints it once');
  withActor(withJson(withSettings(add))).action((clientId: string, { json }: { json?: boolean }) =>
    withInstallation(add, async ({ store }) => {
      const made = await createProvision(store, actorOf(add)).secret(clientId);
      const fields = { client_id: clientId, secret_id: made.secretId, client_secret: made.secret };
      if (json) printJson(fields);
      else {
        printFields(fields);
        printLines('The secret is not shown again. The older ones stay valid until revoked.');
      }
    }),
  );

  const list = secret
    .command('list <client_id>')
    .description('List the secrets by id, never by value');
  withJson(withSettings(list)).action((clientId: string, { json }: { json?: boolean }) =>
    withInstallation(list, async ({ store }) => {
      if ((await store.tenants.client(clientId)) === undefined) {
        throw new CommandFailure(`there is no client ${clientId}`);
      }
      const secrets = await store.tenants.secrets(clientId);
      if (json) {
        printJson(
          secrets.map((it) => ({
            secret_id: it.secretId,
            created_time: time(it.createdTime),
            revoked_time: time(it.revokedTime),
          })),
        );
      } else {
        printTable(
          ['secret_id', 'created', 'revoked'],
          secrets.map((it) => [it.secretId, time(it.createdTime), time(it.revokedTime)]),
        );
      }
    }),
  );

  const revoke = secret
    .command('revoke <client_id> <secret_id>')
    .description('Revoke a secret: it and tokens obtained with it are refused within 10 seconds');
  withActor(withJson(withSettings(revoke))).action(
    (clientId: string, secretId: string, { json }: { json?: boolean }) =>
      withInstallation(revoke, async ({ store }) => {
        await createProvision(store, actorOf(revoke)).revokeSecret(clientId, secretId);
        if (json) printJson({ client_id: clientId, secret_id: secretId, revoked: true });
        else printLines(`Revoked secret ${secretId}.`);
      }),
  );
}
