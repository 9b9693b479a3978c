// An export of the audit log lasts: it ends with the right to read it.
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/auth/operator/operator.ts';
import { auditRoutes } from '../../../src/http/operator/audit/routes.ts';
import { createAuthenticateOperator } from '../../../src/http/operator/authenticate-operator.ts';
import type { OperatorContext } from '../../../src/http/operator/context.ts';
import { createDefineRoute } from '../../../src/http/operator/shared/route.ts';

const OLGA = { name: 'olga', role: 'operator', by: 'client', id: 'c1' } as const;
const LINE = `${'x'.repeat(10_000)}\n`;

let app: FastifyInstance;
afterEach(() => app.close());

/** A server whose log has no end; `who` answers whose the token is. */
async function serveEndlessLog(who: () => Operator | undefined): Promise<string> {
  app = fastify({ forceCloseConnections: true });
  for (const name of ['operator', 'operatorSession', 'stillSignedIn', 'headerFindings'] as const)
    app.decorateRequest(name);
  app.addHook('onRequest', async (request) => {
    request.headerFindings = { authorizations: 1 } as typeof request.headerFindings;
  });
  const client = async () => who();
  app.addHook('onRequest', createAuthenticateOperator({ client, session: async () => undefined }));
  const audit = {
    async export(_: number, write: (line: string) => Promise<void>) {
      for (;;) await write(LINE);
    },
  };
  auditRoutes(createDefineRoute(app, Date.now), { audit, store: {} } as never as OperatorContext);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

describe('an export of the audit log', () => {
  for (const [what, after] of [
    ['the client is revoked or the session has ended', undefined],
    ['the role is gone', { ...OLGA, role: 'viewer' }],
  ] as const) {
    it(`is cut when ${what}`, async () => {
      let operator: Operator | undefined = OLGA;
      const url = await serveEndlessLog(() => operator);
      const response = await fetch(`${url}/audit/export`, {
        headers: { authorization: 'Bearer x' },
      });
      expect(response.status).toBe(200);
      let isRead = 0;
      const reading = (async () => {
        for await (const chunk of response.body ?? []) {
          isRead += chunk.length;
          if (isRead > 1_000_000) operator = after;
        }
      })();
      await expect(reading).rejects.toThrow('terminated');
    });
  }
});
