import { randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import type { Command } from 'commander';
import type { Installation } from '../../app/service.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Subject } from '../../domain/target/connector.ts';
import { existingController } from '../controller/existing-controller.ts';
import { CommandFailure, ReportedFailure, usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson } from '../shared/output.ts';
import { findRequest } from './find-request.ts';
import { type IdentityOptions, readIdentityOptions, withIdentities } from './identity-options.ts';
import { readPreviewFacts } from './preview-facts.ts';
import { printPreview, shapePreview } from './print-preview.ts';

interface PreviewOptions extends IdentityOptions {
  readonly controller?: string;
  readonly request?: string;
  readonly json?: boolean;
}

export function addPreviewCommand(program: Command): void {
  const preview = program
    .command('preview')
    .description('Say what erasing a person would do at each target; changes nothing there')
    .option('--request <subject_request_id>', 'The person of this request')
    .option('--controller <controller_id>', 'Whose request it is, or would be');
  withJson(withActor(withSettings(withIdentities(preview)))).action((options: PreviewOptions) =>
    withInstallation(preview, async (installation, config) => {
      const { subject, request } = await subjectOf(options, installation);
      await installation.store.operator.recordPreview(subject.controllerId, request, {
        actor: actorOf(preview),
        now: installation.store.clock(),
      });
      const { openConnectorsToLook } = await import('../../app/connectors.ts');
      const { createPreviewRequest } = await import('../../fulfilment/preview-request.ts');
      const connectors = openConnectorsToLook();
      try {
        const facts = await readPreviewFacts(installation, config, subject.controllerId, request);
        const look = createPreviewRequest(config.targets, connectors.connectorOf, facts);
        const found = await look(subject);
        const { startsTomorrow } = facts;
        if (options.json)
          printJson(shapePreview(subject.controllerId, request, found, startsTomorrow));
        else printPreview(found, startsTomorrow);
        if (found.targets.some(({ outcome }) => outcome === 'failed')) {
          throw new ReportedFailure();
        }
      } finally {
        await connectors.close();
      }
    }),
  );
}

interface Asked {
  readonly subject: Subject;
  readonly request: RequestKey | undefined;
}

async function subjectOf(options: PreviewOptions, installation: Installation): Promise<Asked> {
  const { controller, request, email, customerId } = options;
  if (request !== undefined) {
    if (email !== undefined || customerId !== undefined) {
      throw usageFailure('give --request alone, or --email and --customer-id');
    }
    return ofRequest(request, controller, installation);
  }
  const identities = await readIdentityOptions(options);
  if (controller === undefined) throw usageFailure('--email and --customer-id need --controller');
  const { controllerId } = await existingController(installation.store.tenants, controller);
  // Targets are told a request's id; this one is nobody's.
  const subjectRequestId = randomUUID() as SubjectRequestId;
  return {
    subject: { taskNo: 0, controllerId, subjectRequestId, identities },
    request: undefined,
  };
}

async function ofRequest(
  id: string,
  controller: string | undefined,
  installation: Installation,
): Promise<Asked> {
  const { controllerId, subjectRequestId } = await findRequest(installation.store, id, controller);
  const request = { controllerId, subjectRequestId };
  const { openForRequest } = await import('../../operator/request-identities.ts');
  const identities = await openForRequest(installation, request);
  if (identities.length === 0) {
    throw new CommandFailure(
      'nobody is named: the request came without identities, or they are deleted because it is completed or cancelled',
    );
  }
  return { subject: { taskNo: 0, ...request, identities }, request };
}
