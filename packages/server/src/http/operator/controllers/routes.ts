// Controllers: the organisations that submit requests.
import { createProvision, ProvisionProblem } from '../../../auth/provision.ts';
import { NotPossible } from '../../../domain/task/operator-ports.ts';
import type { Controller } from '../../../domain/tenant/tenants.ts';
import {
  controllerEtag,
  controllerPage,
  controllerShape,
} from '../../../operator/controller/controller-page.ts';
import { findController } from '../../../operator/controller/find-controller.ts';
import { InvalidInput } from '../../../operator/failures.ts';
import {
  happenedShape,
  isJustDone,
  newestRow,
  Overtaken,
} from '../../../operator/what-happened.ts';
import type { OperatorContext } from '../context.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { matches, requireMatch, tagged } from '../shared/etags.ts';
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
  ) => tagged(request, reply, await controllerPage(store, settings(), id));

  route({
    method: 'GET',
    path: '/controllers',
    role: 'viewer',
    id: 'listControllers',
    tag: TAG,
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
    method: 'GET',
    path: PATH,
    role: 'viewer',
    id: 'getController',
    tag: TAG,
    summary: 'One controller: its clients, their secrets by id, usage, single sign-on',
    answer: controllerPageShape,
    errors: [404],
    handle: (call) => pageOf(call, call.params.controller_id ?? ''),
  });
  route({
    method: 'POST',
    path: '/controllers',
    role: 'admin',
    id: 'createController',
    tag: TAG,
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
    method: 'PATCH',
    path: PATH,
    role: 'admin',
    id: 'updateController',
    tag: TAG,
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
      const changes = {
        ...(given !== undefined && { name: given || null }),
        ...(organisation !== undefined && { ssoOrganisation: organisation || null }),
      };
      const provision = createProvision(store, call.by.actor);
      try {
        requireMatch(call.request, controllerEtag(controller), 'the controller');
        await provision.updateController(controller.controllerId, changes, controller);
      } catch (error) {
        await explainRefusal(error, call, changes);
      }
      return pageOf(call, controller.controllerId);
    },
  });

  /** A repetition of this call has nothing more to do; otherwise the error says who changed it. */
  async function explainRefusal(
    error: unknown,
    { params, by, request }: Pick<Call<unknown, unknown>, 'params' | 'by' | 'request'>,
    changes: Partial<Controller>,
  ): Promise<void> {
    if (!(error instanceof NotPossible || error instanceof ProvisionProblem)) throw error;
    const now = await findController(store.tenants, params.controller_id ?? '');
    if (matches(request, controllerEtag(now))) throw error;
    const row = await newestRow(store, 'controller.updated', now.controllerId);
    const isDone = Object.entries({ ...now, ...changes }).every(
      ([name, value]) => now[name as keyof Controller] === value,
    );
    if (isDone && isJustDone(row, by)) return;
    throw new Overtaken(error.message, row === undefined ? null : happenedShape(row));
  }
}
