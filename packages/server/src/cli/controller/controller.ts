import { type Command, Option } from 'commander';
import { createProvision } from '../../auth/provision.ts';
import {
  closeController,
  closingFacts,
  closingOf,
  requireConfirmed,
} from '../../operator/controller/close-controller.ts';
import { controllerShape } from '../../operator/controller/controller-page.ts';
import { findController } from '../../operator/controller/find-controller.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation, withNewInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printLines, printTable, time } from '../shared/output.ts';

export function addControllerCommands(program: Command): void {
  const controller = program
    .command('controller')
    .description('Controllers: the organisations that submit requests');

  const create = controller
    .command('create <controller_id>')
    .description('Create a controller')
    .option('--name <name>', 'Display name')
    .option(
      '--sso-organisation <value>',
      'Its organisation in single sign-on tokens, if that is not its id',
    );
  withActor(withJson(withSettings(create))).action(
    (id: string, { name, ssoOrganisation, json }: CreateOptions) =>
      withNewInstallation(create, async ({ store }) => {
        const provision = createProvision(store, actorOf(create));
        const controllerId = await provision.controller(id, name ?? null, ssoOrganisation ?? null);
        if (json) printJson(controllerShape(await findController(store.tenants, controllerId)));
        else
          printLines(
            `Created controller ${controllerId}. Next: unwrite client create --controller ${controllerId}`,
          );
      }),
  );

  const update = controller
    .command('update <controller_id>')
    .description('Change a name or the organisation of its single sign-on; "" removes it')
    .option('--name <name>', 'Display name')
    .option('--sso-organisation <value>', 'Its organisation in single sign-on tokens');
  withActor(withJson(withSettings(update))).action(
    (id: string, { name, ssoOrganisation, json }: CreateOptions) =>
      withInstallation(update, async ({ store }) => {
        if (name === undefined && ssoOrganisation === undefined) {
          throw new CommandFailure('nothing to change: give --name or --sso-organisation');
        }
        await createProvision(store, actorOf(update)).updateController(id, {
          ...(name !== undefined && { name: name || null }),
          ...(ssoOrganisation !== undefined && { ssoOrganisation: ssoOrganisation || null }),
        });
        if (json) printJson(controllerShape(await findController(store.tenants, id)));
        else printLines(`Updated controller ${id}.`);
      }),
  );

  const list = controller.command('list').description('List the controllers');
  withJson(withSettings(list)).action(({ json }: { json?: boolean }) =>
    withInstallation(list, async ({ store }) => {
      const controllers = await store.tenants.controllers();
      if (json) printJson(controllers.map(controllerShape));
      else
        printTable(
          ['controller_id', 'name', 'sso_organisation', 'created'],
          controllers.map((it) => [
            it.controllerId,
            it.name,
            it.ssoOrganisation,
            time(it.createdTime),
          ]),
        );
    }),
  );

  addClose(controller);

  const show = controller
    .command('show <controller_id>')
    .description('Show a controller and its clients');
  withJson(withSettings(show)).action((id: string, { json }: { json?: boolean }) =>
    withInstallation(show, async ({ store }) => {
      const found = await findController(store.tenants, id);
      const itsClients = await store.tenants.clients(found.controllerId);
      const clients = itsClients.map(({ clientId }) => clientId);
      if (json) printJson({ ...controllerShape(found), clients });
      else
        printFields({
          controller_id: found.controllerId,
          name: found.name,
          sso_organisation: found.ssoOrganisation,
          created: time(found.createdTime),
          closed: time(found.closedTime ?? null),
          clients: clients.join(', ') || null,
        });
    }),
  );
}

function addClose(controller: Command): void {
  const close = controller
    .command('close <controller_id>')
    .description('End the contract: revoke all access, let open requests end, sign a statement')
    .requiredOption('--reason <text>', 'Why, for the audit log; no personal data in it')
    .addOption(
      new Option('--pending <what>', 'What becomes of requests that have not started')
        .choices(['wait', 'cancel'])
        .default('wait'),
    )
    .option('--confirm <controller_id>', 'The id again; without it nothing is changed');
  withActor(withJson(withSettings(close))).action((id: string, options: CloseOptions) =>
    withInstallation(close, async ({ store }) => {
      if (options.confirm === undefined) {
        const open = await closingOf(store, id);
        if (options.json) printJson(open);
        else printLines(...saidOpen(open), `Nothing is changed without --confirm ${id}.`);
        return;
      }
      requireConfirmed(id, options.confirm);
      const by = { actor: actorOf(close), now: store.clock() };
      await closeController(store, id, options, by);
      const left = await closingOf(store, id);
      if (options.json) printJson(left);
      else printLines(`Controller ${id} is closed: its clients are revoked.`, ...saidOpen(left));
    }),
  );

  const statement = controller
    .command('statement <controller_id>')
    .description('Print the signed closing statement, when no request is open any more');
  withJson(withSettings(statement)).action((id: string) =>
    withInstallation(statement, async ({ store, vaultKeys }, config) => {
      const facts = await closingFacts(store, id);
      const { openClosing } = await import('../../app/proof/closing.ts');
      const sign = await openClosing(store, vaultKeys.ring, config);
      printLines((await sign(facts)).trimEnd());
    }),
  );
}

function saidOpen({ controller_id: id, ...open }: Awaited<ReturnType<typeof closingOf>>): string[] {
  const { pending, in_progress: inProgress, legal_holds: holds } = open;
  return [
    `Open requests: ${pending} not started, ${inProgress} in progress. Legal holds: ${holds}.`,
    pending + inProgress === 0
      ? `"unwrite controller statement ${id}" signs the closing statement; records are forgotten as usual.`
      : 'They go on; when they have ended, the closing statement can be signed.',
  ];
}

interface CloseOptions {
  readonly reason: string;
  readonly pending: 'wait' | 'cancel';
  readonly confirm?: string;
  readonly json?: boolean;
}

interface CreateOptions {
  readonly name?: string;
  readonly ssoOrganisation?: string;
  readonly json?: boolean;
}
