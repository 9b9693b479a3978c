import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProvision } from '../../src/auth/provision.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { type Answer, call, postJson } from '../helpers/http/api.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startIssuer, type TestIssuer, trusting } from '../helpers/http/sso-issuer.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.away());

/** A service with the controllers acme and globex, and umbrella as its issuer calls it. */
async function withService(
  changes: object,
  work: (
    ask: (claims: Record<string, unknown>) => Promise<Answer>,
    service: TestService,
  ) => unknown,
): Promise<void> {
  const service = await startService(trusting([issuer, changes]));
  try {
    await service.client('acme');
    await service.client('globex');
    const { tenants, tenantWriter } = service.installation.store;
    const provision = createProvision({ tenants, tenantWriter, clock: Date.now }, 'operator:test');
    await provision.controller('umbrella', null, 'org_9f8e7d');
    const ask = async (claims: Record<string, unknown>) =>
      call(`${service.url}/discovery`, { token: await issuer.token({ claims }) });
    await work(ask, service);
  } finally {
    await service.close();
  }
}

function expectForbidden(answer: Answer): void {
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({ error: { code: 403, message: expect.stringMatching(/\w/) } });
}

describe('the role', () => {
  it('is "admin" in "roles", as a text or in a list, if the settings say nothing', () =>
    withService({}, async (ask) => {
      for (const roles of ['admin', ['admin'], ['viewer', 'admin']]) {
        expect((await ask({ roles })).status).toBe(200);
      }
      for (const roles of [
        undefined,
        null,
        [],
        '',
        'Admin',
        'admins',
        'viewer admin',
        'admin,viewer',
        ['Admin'],
        [['admin']],
        { admin: true },
        true,
      ]) {
        expectForbidden(await ask({ roles }));
      }
    }));

  it('is found nested, as Keycloak has it', () =>
    withService({ role_claim: 'realm_access.roles', role: 'eraser' }, async (ask) => {
      expect((await ask({ realm_access: { roles: ['eraser'] } })).status).toBe(200);
      expectForbidden(await ask({ realm_access: { roles: ['admin'] } }));
      expectForbidden(await ask({ realm_access: ['eraser'] }));
      expectForbidden(await ask({ realm_access: 'eraser' }));
      expectForbidden(await ask({ roles: ['eraser'] }));
    }));

  it('is found under the name of a client that has dots, as Keycloak has it', () =>
    withService({ role_claim: 'resource_access.erase.example.roles' }, async (ask) => {
      const resource_access = { 'erase.example': { roles: ['admin'] } };
      expect((await ask({ resource_access })).status).toBe(200);
      expectForbidden(await ask({ resource_access: { other: { roles: ['admin'] } } }));
    }));

  it('is found under a namespaced name, as Auth0 has it', () =>
    withService({ role_claim: 'https://example.com/roles' }, async (ask) => {
      expect((await ask({ 'https://example.com/roles': ['admin'] })).status).toBe(200);
      expectForbidden(await ask({ 'https://example.com/role': ['admin'] }));
    }));

  it('is found nested under a namespaced name', () =>
    withService({ role_claim: 'https://example.com/app.roles' }, async (ask) => {
      expect((await ask({ 'https://example.com/app': { roles: ['admin'] } })).status).toBe(200);
    }));

  it('is not found on what every object has', () =>
    withService({ role_claim: 'constructor.name', role: 'Object' }, async (ask) => {
      expectForbidden(await ask({}));
    }));
});

describe('the organisation', () => {
  it('is the slug of a controller, as a text or a list of one', () =>
    withService({}, async (ask) => {
      for (const org_id of ['acme', ['acme']]) expect((await ask({ org_id })).status).toBe(200);
      for (const org_id of [
        undefined,
        null,
        '',
        7,
        [],
        ['acme', 'globex'],
        { id: 'acme' },
        'ACME',
      ]) {
        expectForbidden(await ask({ org_id }));
      }
    }));

  it('is found nested or namespaced', async () => {
    await withService({ organisation_claim: 'org.id' }, async (ask) => {
      expect((await ask({ org: { id: 'acme' } })).status).toBe(200);
      expectForbidden(await ask({ org: { id: 'globex' } }));
    });
    await withService({ organisation_claim: 'https://example.com/org' }, async (ask) => {
      expect((await ask({ 'https://example.com/org': 'acme' })).status).toBe(200);
    });
  });

  it('may be what the issuer calls the controller', () =>
    withService({ controllers: ['acme', 'umbrella'] }, async (ask) => {
      expect((await ask({ org_id: 'org_9f8e7d' })).status).toBe(200);
      expect((await ask({ org_id: 'umbrella' })).status).toBe(200);
      expectForbidden(await ask({ org_id: 'ORG_9F8E7D' }));
    }));

  it("is answered in the same bytes, whether it is unknown or another's", () =>
    withService({}, async (ask) => {
      const [another, recorded, unknown] = [
        await ask({ org_id: 'globex' }),
        await ask({ org_id: 'org_9f8e7d' }),
        await ask({ org_id: 'nowhere' }),
      ];
      expectForbidden(unknown);
      expect(another.text).toBe(unknown.text);
      expect(recorded.text).toBe(unknown.text);
    }));

  it('may be any controller if the settings say "*", but only an existing one', () =>
    withService({ controllers: '*' }, async (ask) => {
      for (const org_id of ['acme', 'globex', 'umbrella', 'org_9f8e7d']) {
        expect((await ask({ org_id })).status).toBe(200);
      }
      for (const org_id of ['nowhere', '*', undefined]) expectForbidden(await ask({ org_id }));
    }));

  it('is refused if it is the id of one controller and the recorded name of another', () =>
    withService({ controllers: '*' }, async (ask, { installation }) => {
      // No command allows it; a controller named after the fact could still be.
      await installation.store.tenantWriter.addController(
        {
          controllerId: 'mimic' as ControllerId,
          name: null,
          ssoOrganisation: 'acme',
          createdTime: Date.now(),
        },
        'operator:test',
      );
      expectForbidden(await ask({ org_id: 'acme' }));
      expect((await ask({ org_id: 'mimic' })).status).toBe(200);
    }));

  it('decides whose requests are visible, regardless of other claims', () =>
    withService({ controllers: '*' }, async (_, service) => {
      const body = requestBody();
      const acme = await service.token('acme');
      expect((await postJson(`${service.url}/requests`, body, acme)).status).toBe(201);

      const url = `${service.url}/requests/${body.subject_request_id}`;
      const globex = { org_id: 'globex', controller_id: 'acme', client_id: 'acme' };
      const token = await issuer.token({ claims: globex });
      expect((await call(url, { token })).status).toBe(404);
      expect((await call(url, { token: await issuer.token() })).status).toBe(200);
    }));
});
