// Controllers: the organisations that submit requests.
import { createProvision } from '../../../auth/provision.ts';
import {
  controllerEtag,
  controllerPage,
  controllerShape,
} from '../../../operator/controller/controller-page.ts';
import { findController } from '../../../operator/controller/find-controller.ts';
import { InvalidInput } from '../../../operator/failures.ts';
import type { OperatorContext } from '../context.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { requireMatch, tagged } from '../shared/etags.ts';
import { limitOf, pageQuery } from '../shared/query.ts';
import type { Call, DefineRoute } from '../shared/route.ts';
import { page } from '../shared/shapes.ts';
import { controllerLineShape, controllerPageShape } from './shapes.ts';

const TAG = 'Controllers';
const PATH = '/controllers/:controller_id';
const name = { type: 'string', maxLength: 200 } as const;
const orNull = <const S>(schema: S) => ({ anyOf: [schema, { type: 'null' }] }) as const;

export function controllerRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, settings } = context;
  const pageOf = async (
    { request, reply }: Pick<Call<unknown, unknown>, 'request' | 'reply'>,
    id: string,
  ) => tagged(request, reply, await controllerPage(store, settings, id));

  route({
    ...{ method: 'GET', path: '/controllers', role: 'viewer', id: 'listControllers', tag: TAG },
    summary: 'Controllers, by their ids',
    query: { type: 'object', required: [], properties: pageQuery },
    answer: page(controllerLineShape),
    async handle({ query }) {
      const [after] = (readCursor(query.after, ['string']) ?? []) as string[];
      const { items, next } = await store.views.controllers({
        limit: limitOf(query),
        ...(after !== undefined && { after }),
      });
      return {
        items: items.map((it) => ({ ...controllerShape(it), clients: it.clients })),
        next: writeCursor(next === null ? null : [next]),
      };
    },
  });
  route({
    ...{ method: 'GET', path: PATH, role: 'viewer', id: 'getController', tag: TAG },
    summary: 'One controller: its clients, their secrets by id, usage, single sign-on',
    answer: controllerPageShape,
    errors: [404],
    handle: (call) => pageOf(call, call.params.controller_id ?? ''),
  });
  route({
    ...{ method: 'POST', path: '/controllers', role: 'admin', id: 'createController', tag: TAG },
    summary: 'Create a controller',
    description:
      'Repeating the call returns the existing controller; other values with the same id are refused.',
    body: {
      type: 'object',
      required: ['controller_id'],
      properties: {
        controller_id: { type: 'string', maxLength: 200 },
        name: orNull(name),
        sso_organisation: orNull(name),
      },
    },
    answer: controllerPageShape,
    status: 201,
    errors: [409],
    async handle(call) {
      const { controller_id: id, name: given, sso_organisation: organisation } = call.body;
      const known = (await store.tenants.controllers()).find((it) => it.controllerId === id);
      const isSame =
        known?.name === (given ?? null) && known.ssoOrganisation === (organisation ?? null);
      if (isSame) call.reply.code(200);
      else {
        const provision = createProvision(store, call.by.actor);
        await provision.controller(id, given ?? null, organisation ?? null);
      }
      return pageOf(call, id);
    },
  });
  route({
    ...{ method: 'PATCH', path: PATH, role: 'admin', id: 'updateController', tag: TAG },
    summary: 'Change the name or the organisation of its single sign-on; null removes it',
    description: 'If-Match takes the etag of the controller.',
    body: {
      type: 'object',
      required: [],
      properties: { name: orNull(name), sso_organisation: orNull(name) },
    },
    answer: controllerPageShape,
    errors: [404, 409],
    async handle(call) {
      const { name: given, sso_organisation: organisation } = call.body;
      if (given === undefined && organisation === undefined) {
        throw new InvalidInput('name', 'or sso_organisation must be given');
      }
      const controller = await findController(store.tenants, call.params.controller_id ?? '');
      requireMatch(call.request, controllerEtag(controller), 'the controller');
      const changes = {
        ...(given !== undefined && { name: given || null }),
        ...(organisation !== undefined && { ssoOrganisation: organisation || null }),
      };
      const provision = createProvision(store, call.by.actor);
      await provision.updateController(controller.controllerId, changes, controller);
      return pageOf(call, controller.controllerId);
    },
  });
}
