// `unwrite preview`: what erasing a person would do at each target.
import type { Command } from 'commander';
import {
  type PreviewedPerson,
  previewPerson,
  previewShape,
} from '../../operator/request/preview-person.ts';
import { ReportedFailure, usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson } from '../shared/output.ts';
import {
  type IdentityOptions,
  namesPerson,
  readIdentityOptions,
  withIdentities,
} from './identity-options.ts';
import { printPreview } from './print-preview.ts';

interface PreviewOptions extends IdentityOptions {
  readonly controller?: string;
  readonly request?: string;
  readonly rehearse?: boolean;
  readonly json?: boolean;
}

export function addPreviewCommand(program: Command): void {
  const preview = program
    .command('preview')
    .description('Show what erasing a person would do at each target; changes nothing there')
    .option('--request <subject_request_id>', 'The person of this request')
    .option('--controller <controller_id>', 'Controller of the request')
    .option(
      '--rehearse',
      'Do it in the transaction that would erase, and roll it back: SQL targets by tables, without triggers',
    );
  withJson(withActor(withSettings(withIdentities(preview)))).action((options: PreviewOptions) =>
    withInstallation(
      preview,
      async ({ store, identities }, { targets, maxStartsPerDay, domain }) => {
        const person = await personOf(options);
        const { openConnectorsToLook } = await import('../../app/connectors.ts');
        const { createPreviewRequest } = await import('../../fulfilment/preview-request.ts');
        const connectors = openConnectorsToLook(domain);
        try {
          const found = await previewPerson(
            {
              store,
              identities,
              maxStartsPerDay,
              look: (subject, facts) =>
                createPreviewRequest(
                  targets,
                  connectors.connectorOf,
                  facts,
                  options.rehearse,
                )(subject),
            },
            person,
            { actor: actorOf(preview), now: store.clock() },
          );
          if (options.json) printJson(previewShape(found));
          else printPreview(found);
          if (found.targets.some(({ outcome }) => outcome === 'failed')) {
            throw new ReportedFailure();
          }
        } finally {
          await connectors.close();
        }
      },
    ),
  );
}

async function personOf(options: PreviewOptions): Promise<PreviewedPerson> {
  const { controller, request } = options;
  if (request !== undefined) {
    if (namesPerson(options)) {
      throw usageFailure('give --request alone, or --email and --customer-id');
    }
    return { request, controller };
  }
  const identities = await readIdentityOptions(options);
  if (controller === undefined) throw usageFailure('--email and --customer-id need --controller');
  return { identities, controller };
}
