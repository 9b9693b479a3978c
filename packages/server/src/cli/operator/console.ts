// `unwrite console link`: signs a person in to the console without an identity provider.
import { type Command, Option } from 'commander';
import { OPERATOR_ROLES, type OperatorRole } from '../../domain/operator/role.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, time } from '../shared/output.ts';

interface LinkOptions {
  readonly role: OperatorRole;
  readonly as: string;
  readonly json?: boolean;
}

export function roleOption(): Option {
  return new Option(
    '--role <role>',
    'The role: viewer (sees), operator (also decides) or admin (may do everything)',
  )
    .choices(OPERATOR_ROLES)
    .makeOptionMandatory();
}

export function addConsoleCommands(program: Command): void {
  const console = program
    .command('console')
    .description('The console for operators: sign-in links');
  const link = console
    .command('link')
    .description('Print a link that signs you in to the console: once, within ten minutes')
    .addOption(roleOption());
  withActor(withJson(withSettings(link))).action(({ role, as: name, json }: LinkOptions) =>
    withInstallation(link, async ({ store }, config) => {
      if (config.operatorLinks === 'off') {
        throw new CommandFailure('sign-in links are turned off; set operator_links to loopback');
      }
      const { createOperatorSignIn, linkAddress } = await import('../../app/operator/sign-in.ts');
      const signIn = createOperatorSignIn(config, store);
      const { code, expires } = await signIn.makeLink({ name, role }, actorOf(link));
      const url = linkAddress(config, code);
      if (json) printJson({ url, name, role, expires_time: time(expires) });
      else {
        printLines(url, '', `It signs ${name} in as ${role}: once, and within ten minutes.`);
      }
    }),
  );
}
