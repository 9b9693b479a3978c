import type { Command } from 'commander';
import { isInForce } from '../../domain/operator/in-force.ts';
import { NotFound } from '../../operator/failures.ts';
import { sessionShape } from '../../operator/session-shape.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable } from '../shared/output.ts';

export function addSessionCommands(operator: Command): void {
  const session = operator.command('session').description('Sessions of the console');

  const list = session.command('list').description('List who is signed in');
  withJson(withSettings(list)).action(({ json }: { json?: boolean }) =>
    withInstallation(list, async ({ store }, config) => {
      const { sessionLimitsOf } = await import('../../app/operator/sign-in.ts');
      const [limits, now] = [sessionLimitsOf(config), store.clock()];
      const all = await store.operators.sessions();
      const inForce = all.filter((it) => isInForce(it, limits, now));
      const shown = inForce.map((it) => sessionShape(it, limits));
      if (json) printJson(shown);
      else {
        printTable(
          ['session_id', 'name', 'role', 'by', 'browser', 'signed in', 'used', 'ends'],
          shown.map((it) => [
            it.session_id,
            it.name,
            it.role,
            it.way,
            it.browser,
            it.created_time,
            it.used_time,
            it.expires_time,
          ]),
        );
      }
    }),
  );

  const end = session
    .command('end <session_id>')
    .description('End a session, on all nodes at once');
  withActor(withJson(withSettings(end))).action((id: string, { json }: { json?: boolean }) =>
    withInstallation(end, async ({ store }) => {
      const by = { actor: actorOf(end), now: store.clock() };
      if (!(await store.operators.endSession(id, by))) {
        throw new NotFound(`there is no session ${id}, or it has ended`);
      }
      if (json) printJson({ session_id: id, ended: true });
      else printLines(`Ended session ${id}.`);
    }),
  );
}
