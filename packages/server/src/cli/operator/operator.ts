// `unwrite operator`: clients for scripts, and who is signed in.
import { type Command, InvalidArgumentError } from 'commander';
import {
  CLIENT_NAME,
  CLIENT_NAME_RULE,
  createOperatorClients,
} from '../../auth/operator/operator-clients.ts';
import type { OperatorRole } from '../../domain/operator/role.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { operatorClientShape } from '../../operator/operator-client-shape.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printLines, printTable } from '../shared/output.ts';
import { roleOption } from './console.ts';
import { addSessionCommands } from './session.ts';

interface CreateOptions {
  readonly role: OperatorRole;
  readonly name: string;
  readonly expiresInDays?: number;
  readonly json?: boolean;
}

export function addOperatorCommands(program: Command): void {
  const operator = program
    .command('operator')
    .description('Operators: clients for their scripts, and sessions of the console');
  const client = operator
    .command('client')
    .description('Clients: bearer tokens for scripts that call the operator API');
  addCreate(client);
  addList(client);
  addRevoke(client);
  addSessionCommands(operator);
}

function addCreate(client: Command): void {
  const create = client
    .command('create')
    .description('Create a client; prints its token once')
    .addOption(roleOption())
    .requiredOption('--name <name>', 'Its name in the audit log: client:NAME', readName)
    .option('--expires-in-days <days>', 'Days until its token expires', readDays);
  withActor(withJson(withSettings(create))).action((given: CreateOptions) =>
    withInstallation(create, async ({ store }, config) => {
      const { role, name, expiresInDays: days, json } = given;
      const clients = createOperatorClients(store.operators, store.clock);
      const lifetimeMs = days === undefined ? null : days * DAY_MS;
      const made = await clients.create(name, role, lifetimeMs, actorOf(create));
      const { client_id, expires_time } = operatorClientShape(made.client);
      const api = `${config.operatorUrl}/operator/v1`;
      const fields = { client_id, name, role, expires_time, token: made.token, api };
      if (json) printJson(fields);
      else {
        printFields(fields);
        printLines('The token is not shown again. Send it as: Authorization: Bearer <token>');
      }
    }),
  );
}

function addList(client: Command): void {
  const list = client.command('list').description('List the clients, never their tokens');
  withJson(withSettings(list)).action(({ json }: { json?: boolean }) =>
    withInstallation(list, async ({ store }) => {
      const shown = (await store.operators.clients()).map(operatorClientShape);
      if (json) printJson(shown);
      else {
        printTable(
          ['client_id', 'name', 'role', 'created', 'expires', 'revoked'],
          shown.map((it) => [
            it.client_id,
            it.name,
            it.role,
            it.created_time,
            it.expires_time,
            it.revoked_time,
          ]),
        );
      }
    }),
  );
}

function addRevoke(client: Command): void {
  const revoke = client
    .command('revoke <client_id>')
    .description('Revoke a client: its token is refused at once, by all nodes');
  withActor(withJson(withSettings(revoke))).action((id: string, { json }: { json?: boolean }) =>
    withInstallation(revoke, async ({ store }) => {
      await createOperatorClients(store.operators, store.clock).revoke(id, actorOf(revoke));
      if (json) printJson({ client_id: id, revoked: true });
      else printLines(`Revoked client ${id}.`);
    }),
  );
}

function readName(value: string): string {
  if (CLIENT_NAME.test(value)) return value;
  throw new InvalidArgumentError(`It ${CLIENT_NAME_RULE}.`);
}

function readDays(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value) && Number(value) <= 3650) return Number(value);
  throw new InvalidArgumentError('It must be 1 to 3650.');
}
