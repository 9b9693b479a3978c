// Clients for scripts: made, listed and revoked by admins.
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../../auth/operator/operator.ts';
import {
  CLIENT_NAME,
  CLIENT_NAME_RULE,
  type OperatorClients,
} from '../../../auth/operator/operator-clients.ts';
import { ProvisionProblem } from '../../../auth/provision.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../../domain/operator/role.ts';
import { DAY_MS } from '../../../domain/time-units.ts';
import { operatorClientShape } from '../../../operator/operator-client-shape.ts';
import { ApiError } from '../../api-error.ts';
import { operatorErrors } from '../operator-errors.ts';

const tags = ['Operator clients'];
const text = { type: 'string' };
const time = { type: ['string', 'null'], format: 'date-time' };
const clientSchema = {
  type: 'object',
  properties: {
    client_id: text,
    name: text,
    role: { enum: OPERATOR_ROLES },
    created_time: time,
    expires_time: time,
    revoked_time: time,
  },
};

const newClientSchema = {
  type: 'object',
  required: ['name', 'role'],
  properties: {
    name: { type: 'string', maxLength: 100, description: 'Its name in the audit log: client:NAME' },
    role: { enum: OPERATOR_ROLES },
    expires_in_days: { type: 'integer', minimum: 1, maximum: 3650 },
  },
} as const;

interface NewClientBody {
  readonly name: string;
  readonly role: OperatorRole;
  readonly expires_in_days?: number;
}

export function registerOperatorClients(scope: FastifyInstance, clients: OperatorClients): void {
  scope.get(
    '/operator-clients',
    {
      config: { role: 'admin' },
      schema: {
        operationId: 'listOperatorClients',
        summary: 'Clients for scripts of operators',
        tags,
        response: {
          200: {
            type: 'object',
            properties: { items: { type: 'array', items: clientSchema }, next: { type: 'null' } },
          },
          ...operatorErrors(),
        },
      },
    },
    async () => ({ items: (await clients.list()).map(operatorClientShape), next: null }),
  );
  scope.post<{ Body: NewClientBody }>(
    '/operator-clients',
    {
      config: { role: 'admin' },
      schema: {
        operationId: 'createOperatorClient',
        summary: 'Make a client for scripts; its token is shown this once',
        tags,
        body: newClientSchema,
        response: {
          201: {
            ...clientSchema,
            properties: { ...clientSchema.properties, token: text },
          },
          ...operatorErrors(400),
        },
      },
    },
    async ({ body, operator }, reply) => {
      if (!CLIENT_NAME.test(body.name)) throw new ApiError(400, `name ${CLIENT_NAME_RULE}`);
      const { expires_in_days: days } = body;
      const lifetimeMs = days === undefined ? null : days * DAY_MS;
      const made = await clients.create(body.name, body.role, lifetimeMs, actorOf(operator));
      return reply.code(201).send({ ...operatorClientShape(made.client), token: made.token });
    },
  );
  scope.delete<{ Params: { client_id: string } }>(
    '/operator-clients/:client_id',
    {
      config: { role: 'admin' },
      schema: {
        operationId: 'revokeOperatorClient',
        summary: 'Revoke a client for scripts: its token is refused at once',
        tags,
        params: {
          type: 'object',
          required: ['client_id'],
          properties: { client_id: { type: 'string', maxLength: 100 } },
        } as const,
        response: { 204: { type: 'null', description: 'Revoked' }, ...operatorErrors(404) },
      },
    },
    async ({ params, operator }, reply) => {
      const known = (await clients.list()).find(({ clientId }) => clientId === params.client_id);
      // A repeated call is answered as the first one was.
      if (known !== undefined && known.revokedTime !== null) return reply.code(204).send();
      try {
        await clients.revoke(params.client_id, actorOf(operator));
      } catch (error) {
        throw error instanceof ProvisionProblem ? new ApiError(404, error.message) : error;
      }
      return reply.code(204).send();
    },
  );
}
