// Clients of controllers, and their secrets, which are shown only once.
import { createProvision } from '../../../auth/provision.ts';
import { NotPossible } from '../../../domain/task/operator-ports.ts';
import { controllerPage } from '../../../operator/controller/controller-page.ts';
import { findController } from '../../../operator/controller/find-controller.ts';
import { NotFound } from '../../../operator/failures.ts';
import type { OperatorContext } from '../context.ts';
import { tagged } from '../shared/etags.ts';
import type { Call, DefineRoute } from '../shared/route.ts';
import { integer, oneOf, record, text } from '../shared/shapes.ts';
import { controllerPageShape, newSecretShape } from './shapes.ts';

const TAG = 'Controllers';

export function clientRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, settings } = context;
  const { audience, publicUrl } = settings();
  /** What a client needs in addition to its secret to get a token. */
  const access = { audience, token_url: `${publicUrl}/oauth/token` };

  async function clientOf({ params }: Call<unknown, unknown>) {
    const client = await store.tenants.client(params.client_id ?? '');
    if (client === undefined) throw new NotFound(`there is no client ${params.client_id}`);
    return client;
  }

  route({
    method: 'POST',
    path: '/controllers/:controller_id/clients',
    role: 'admin',
    tag: TAG,
    id: 'createClient',
    summary: 'Create a client of a controller; the secret is in this answer only',
    description: 'No If-Match: it changes nothing that anybody has read.',
    body: {
      type: 'object',
      required: [],
      properties: { name: { type: 'string', maxLength: 200 } },
    },
    answer: newSecretShape,
    status: 201,
    errors: [404],
    async handle({ params, body, by }) {
      const { controllerId } = await findController(store.tenants, params.controller_id ?? '');
      const provision = createProvision(store, by.actor);
      const made = await provision.client(controllerId, body.name ?? null);
      const [secret] = await store.tenants.secrets(made.clientId);
      return {
        client_id: made.clientId,
        controller_id: controllerId,
        secret_id: secret?.secretId ?? '',
        client_secret: made.secret,
        ...access,
      };
    },
  });
  route({
    method: 'POST',
    path: '/clients/:client_id/secrets',
    role: 'admin',
    tag: TAG,
    id: 'addSecret',
    summary: 'Add a secret, in this answer only; older ones stay valid until revoked',
    answer: newSecretShape,
    status: 201,
    errors: [404, 409],
    async handle(call) {
      const { clientId, controllerId } = await clientOf(call);
      const { secretId, secret } = await createProvision(store, call.by.actor).secret(clientId);
      return {
        client_id: clientId,
        controller_id: controllerId,
        secret_id: secretId,
        client_secret: secret,
        ...access,
      };
    },
  });
  route({
    method: 'POST',
    path: '/clients/:client_id/revoke',
    role: 'admin',
    tag: TAG,
    id: 'revokeClient',
    summary: 'Revoke a client: its secrets and tokens are refused within 10 seconds',
    description: 'Revoking it again changes nothing.',
    answer: controllerPageShape,
    errors: [404],
    async handle(call) {
      const { clientId, controllerId, revokedTime } = await clientOf(call);
      if (revokedTime === null) await createProvision(store, call.by.actor).revokeClient(clientId);
      return tagged(
        call.request,
        call.reply,
        await controllerPage(store, settings(), controllerId),
      );
    },
  });
  route({
    method: 'POST',
    role: 'admin',
    tag: TAG,
    path: '/clients/:client_id/secrets/:secret_id/revoke',
    id: 'revokeSecret',
    summary: 'Revoke a secret: it and tokens obtained with it are refused within 10 seconds',
    description: 'Revoking it again changes nothing.',
    answer: controllerPageShape,
    errors: [404],
    async handle(call) {
      const { clientId, controllerId } = await clientOf(call);
      const secretId = call.params.secret_id ?? '';
      const secrets = await store.tenants.secrets(clientId);
      const isRevoked = secrets.some((it) => it.secretId === secretId && it.revokedTime !== null);
      if (!isRevoked) await createProvision(store, call.by.actor).revokeSecret(clientId, secretId);
      return tagged(
        call.request,
        call.reply,
        await controllerPage(store, settings(), controllerId),
      );
    },
  });
  route({
    method: 'POST',
    path: '/clients/:client_id/token',
    role: 'admin',
    tag: TAG,
    id: 'issueToken',
    summary:
      'An access token of a client, to try things out; needs no secret, and is recorded in the audit log',
    answer: record({ access_token: text, token_type: oneOf('Bearer'), expires_in: integer }),
    errors: [404, 409],
    async handle(call) {
      const client = await clientOf(call);
      if (client.revokedTime !== null) {
        throw new NotPossible(`client ${client.clientId} is revoked`);
      }
      const { accessToken, expiresIn } = await context.issueToken(client);
      await store.tenantWriter.recordToken(client, call.by.now, call.by.actor);
      return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn };
    },
  });
}
