import type { Command } from 'commander';
import { createProvision } from '../../auth/provision.ts';
import type { Client } from '../../domain/tenant/tenants.ts';
import { controllerOf } from '../../operator/controller/find-controller.ts';
import { withInstallation, withNewInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printLines, printTable, time } from '../shared/output.ts';
import { clientCredentials } from './credentials.ts';
import { addClientSecretCommands } from './secret.ts';

export function addClientCommands(program: Command): void {
  const client = program
    .command('client')
    .description('Clients: the credentials with which a controller gets tokens');
  addCreate(client);
  addList(client);
  addRevoke(client);
  addClientSecretCommands(client);
}

function addCreate(client: Command): void {
  const create = client
    .command('create')
    .description('Create a client, and its controller if that is new; prints the secret once')
    .requiredOption('--controller <controller_id>', 'Controller that the client belongs to')
    .option('--name <name>', 'Display name');
  withActor(withJson(withSettings(create))).action(
    ({ controller, name, json }: { controller: string; name?: string; json?: boolean }) =>
      withNewInstallation(create, async ({ store }, config) => {
        const made = await createProvision(store, actorOf(create)).client(controller, name ?? null);
        const credentials = clientCredentials(config, controller, made.clientId, made.secret);
        if (json) {
          printJson(credentials);
          return;
        }
        if (made.madeController) printLines(`Created controller ${controller}.`);
        printFields({ ...credentials });
        printLines('The secret is not shown again: pass it on safely, or make another one later.');
      }),
  );
}

function addList(client: Command): void {
  const list = client
    .command('list')
    .description('List the clients')
    .option('--controller <controller_id>', 'Only those of this controller');
  withJson(withSettings(list)).action(
    ({ controller, json }: { controller?: string; json?: boolean }) =>
      withInstallation(list, async ({ store }) => {
        const { tenants } = store;
        const clients = await tenants.clients(await controllerOf(controller, tenants));
        if (json) printJson(clients.map(shape));
        else
          printTable(
            ['client_id', 'controller_id', 'name', 'created', 'revoked'],
            clients.map((it) => [
              it.clientId,
              it.controllerId,
              it.name,
              time(it.createdTime),
              time(it.revokedTime),
            ]),
          );
      }),
  );
}

function addRevoke(client: Command): void {
  const revoke = client
    .command('revoke <client_id>')
    .description('Revoke a client: its secrets and tokens are refused within 10 seconds');
  withActor(withJson(withSettings(revoke))).action((id: string, { json }: { json?: boolean }) =>
    withInstallation(revoke, async ({ store }) => {
      await createProvision(store, actorOf(revoke)).revokeClient(id);
      if (json) printJson({ client_id: id, revoked: true });
      else printLines(`Revoked client ${id}.`);
    }),
  );
}

function shape(client: Client) {
  return {
    client_id: client.clientId,
    controller_id: client.controllerId,
    name: client.name,
    created_time: time(client.createdTime),
    revoked_time: time(client.revokedTime),
  };
}
