// `unwrite request identify`: adds identities to a request that came with none, or with too few.
import type { Command } from 'commander';
import { identifyRequest } from '../../operator/request/operate-request.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';
import { type IdentityOptions, readIdentityOptions, withIdentities } from './identity-options.ts';

interface Options extends IdentityOptions {
  readonly controller?: string;
  readonly json?: boolean;
}

export function addRequestIdentify(request: Command): void {
  const identify = request
    .command('identify <subject_request_id>')
    .description('Add identities to a request; finished tasks run again with all of them')
    .option(
      '--controller <controller_id>',
      'Needed if several controllers use the same request id',
    );
  withIdentities(identify);
  withActor(withJson(withSettings(identify))).action(async (asked: string, options: Options) => {
    const identities = await readIdentityOptions(options);
    await withInstallation(identify, async (installation) => {
      const by = { actor: actorOf(identify), now: installation.store.clock() };
      const named = { id: asked, controller: options.controller };
      const found = await identifyRequest(installation, named, identities, by);
      const id = found.subjectRequestId;
      if (options.json) printJson({ subject_request_id: id, identities: identities.length });
      else
        printLines(
          `Added ${identities.length === 1 ? 'an identity' : `${identities.length} identities`} to request ${id}.`,
        );
    });
  });
}
