// What erasing a person would do at each target.
import {
  type PersonPreview,
  previewPerson,
  previewShape,
} from '../../../operator/request/preview-person.ts';
import type { OperatorContext } from '../context.ts';
import { identitiesOf, identitiesSchema } from '../shared/identities.ts';
import type { DefineRoute } from '../shared/route.ts';
import { previewShape as shape } from './shapes.ts';

export function previewRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, identities, settings, look } = context;
  route({
    method: 'POST',
    path: '/preview',
    role: 'operator',
    id: 'previewPerson',
    tag: 'Requests',
    summary: 'What erasing a person would do at each target; changes nothing there',
    body: {
      type: 'object',
      required: ['controller', 'identities'],
      properties: { controller: { type: 'string' }, identities: identitiesSchema },
    },
    answer: shape,
    errors: [404],
    async handle({ body, by }) {
      const person = { identities: identitiesOf(body.identities), controller: body.controller };
      const { maxStartsPerDay } = settings();
      const parts = { store, identities, maxStartsPerDay, look };
      return fullPreview(await previewPerson(parts, person, by));
    },
  });
}

/** Includes every member, also those that the command line leaves out. */
export function fullPreview(preview: PersonPreview) {
  return { ...previewShape(preview), starts_tomorrow: preview.startsTomorrow };
}
