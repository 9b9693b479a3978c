import type { FastifyInstance } from 'fastify';
import { operatorErrors } from '../operator-errors.ts';
import type { SignInContext } from './context.ts';

export function getSignInOptions(scope: FastifyInstance, { sso, links }: SignInContext): void {
  scope.get(
    '/sign-in',
    {
      config: { role: 'anyone' },
      schema: {
        operationId: 'getSignInOptions',
        summary: 'How operators sign in here',
        description:
          'single_sign_on: open /operator/v1/sign-in/sso in the browser. links: where one-time links of unwrite console link work.',
        tags: ['Sign-in'],
        security: [],
        response: {
          200: {
            type: 'object',
            properties: {
              single_sign_on: { type: 'boolean' },
              links: { enum: ['loopback', 'anywhere', 'off'] },
            },
          },
          ...operatorErrors(),
        },
      },
    },
    () => ({ single_sign_on: sso !== null, links }),
  );
}
