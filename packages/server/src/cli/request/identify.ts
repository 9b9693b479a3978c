// `unwrite request identify`: who is meant by a request that named nobody, or not enough.
import type { Command } from 'commander';
import { sealForRequest } from '../../operator/request-identities.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';
import { findRequest } from './find-request.ts';
import { type IdentityOptions, readIdentityOptions, withIdentities } from './identity-options.ts';

interface Options extends IdentityOptions {
  readonly controller?: string;
  readonly json?: boolean;
}

export function addRequestIdentify(request: Command): void {
  const identify = request
    .command('identify <subject_request_id>')
    .description('Add identities; tasks that are done get another run with all of them')
    .option('--controller <controller_id>', 'Where several controllers use the same id');
  withIdentities(identify);
  withActor(withJson(withSettings(identify))).action(async (asked: string, options: Options) => {
    const identities = await readIdentityOptions(options);
    await withInstallation(identify, async (installation) => {
      const { store } = installation;
      const found = await findRequest(store, asked, options.controller);
      const id = found.subjectRequestId;
      const sealed = await sealForRequest(installation, found, identities);
      await store.operator.identify(found, sealed, {
        actor: actorOf(identify),
        now: store.clock(),
      });
      if (options.json) printJson({ subject_request_id: id, identities: identities.length });
      else
        printLines(
          `Added ${identities.length === 1 ? 'an identity' : `${identities.length} identities`} to request ${id}.`,
        );
    });
  });
}
