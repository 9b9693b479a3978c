// `unwrite seen`: was this person erased, when, and by which requests. It compares keyed digests: no
// identity is stored for it.
import type { Command } from 'commander';
import { erasedShape, findErased } from '../../operator/request/find-erased.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, time } from '../shared/output.ts';
import { type IdentityOptions, readIdentityOptions, withIdentities } from './identity-options.ts';

interface Options extends IdentityOptions {
  readonly controller: string;
  readonly json?: boolean;
}

export function addSeenCommand(program: Command): void {
  const seen = program
    .command('seen')
    .description('Say whether a person was erased, when, and by which requests')
    .requiredOption('--controller <controller_id>', 'Whose requests');
  withIdentities(seen);
  withActor(withJson(withSettings(seen))).action(async (options: Options) => {
    const identities = await readIdentityOptions(options);
    await withInstallation(seen, async (installation) => {
      const by = { actor: actorOf(seen), now: installation.store.clock() };
      const [found = []] = await findErased(installation, options.controller, [identities], by);
      if (options.json) {
        printJson(erasedShape(found));
      } else if (found.length === 0) {
        printLines('No request that was started and is still kept names this person.');
      } else {
        printLines(`Outcome: ${erasedShape(found).outcome}`, '');
        printTable(
          ['subject_request_id', 'status', 'outcome', 'received', 'completed'],
          found.map((it) => [
            it.subjectRequestId,
            it.status,
            it.outcome,
            time(it.receivedTime),
            time(it.completedTime),
          ]),
        );
      }
    });
  });
}
