// Tokens of operator clients, and that neither they nor those of controllers are good for the other API.
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from '../cli/use-installation.ts';
import { call, getToken, postJson } from '../helpers/http/api.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { storesInMatrix } from '../helpers/stores/test-store.ts';

for (const kind of await storesInMatrix('auth/operator-clients')) {
  describe(`operator clients on ${kind}`, () => {
    const { json, inStore, serve, unwrite, client } = useInstallation(kind);
    let url: string;
    let session: string;
    beforeAll(async () => {
      await client('acme');
      ({ url } = await serve());
      session = `${url}/operator/v1/session`;
    });
    const create = (role: string, name = 'nightly', ...more: string[]) =>
      json('operator', 'client', 'create', '--role', role, '--name', name, '--as', 'ada', ...more);

    it('are made, listed without their tokens, and revoked at once', async () => {
      const made = await create('operator', 'nightly report', '--expires-in-days', '90');
      expect(made.token).toMatch(/^unwrite_operator_[\w-]{43}$/);
      const { body } = await call(session, { token: made.token });
      expect(body).toEqual({
        name: 'client:nightly report',
        role: 'operator',
        by: 'client',
        id: made.client_id,
        csrf_token: null,
        expires_time: null,
        idle_expires_time: null,
      });
      const listed = await unwrite('operator', 'client', 'list');
      expect(listed.stdout).toContain('nightly report');
      expect(listed.stdout).not.toContain(made.token);
      await json('operator', 'client', 'revoke', made.client_id, '--as', 'ada');
      expectError(await call(session, { token: made.token }), 401);
      const again = await unwrite('operator', 'client', 'revoke', made.client_id);
      expect([again.exitCode, again.stderr]).toEqual([
        1,
        expect.stringContaining('revoked already'),
      ]);
      const rows = await json('audit', 'list', '--actor', 'operator:ada');
      expect(rows.map(({ action }: { action: string }) => action)).toEqual([
        'operator_client.revoked',
        'operator_client.created',
      ]);
    });

    it('do not open the endpoints of controllers, and controllers not theirs', async () => {
      const { token } = await create('admin');
      expectError(await postJson(`${url}/requests`, requestBody(), token), 401);
      expectError(await call(`${url}/discovery`, { token }), 401);
      expectError(
        await call(`${url}/requests/${requestBody().subject_request_id}`, { token }),
        401,
      );
      const credentials = await client('acme');
      const controllers = await getToken(credentials);
      expectError(await call(session, { token: controllers }), 401);
      expectError(await call(session, { token: credentials.client_secret }), 401);
      const asClient = await postJson(`${url}/oauth/token`, {
        client_id: 'opc_1',
        client_secret: token,
        grant_type: 'client_credentials',
        audience: credentials.audience,
      });
      expectError(asClient, 401);
    });

    it('cannot be forged by writing to the database', async () => {
      const { token, client_id: id } = await create('viewer', 'small');
      const lowly = await call(`${url}/operator/v1/operator-clients`, { token });
      expectError(lowly, 403);
      await inStore(`UPDATE operator_clients SET role = 'admin' WHERE client_id = '${id}'`);
      expectError(await call(session, { token }), 401);
      await inStore(`UPDATE operator_clients SET role = 'viewer' WHERE client_id = '${id}'`);
      expect((await call(session, { token })).status).toBe(200);
      await json('operator', 'client', 'revoke', id);
      await inStore(`UPDATE operator_clients SET revoked_time = NULL WHERE client_id = '${id}'`);
      expectError(await call(session, { token }), 401);
      const stored = JSON.stringify(await inStore('SELECT * FROM operator_clients'));
      expect(stored).not.toContain(token.slice(-43));
    });

    it('are refused for anything else that is sent as a token', async () => {
      const { token } = await create('viewer', 'other');
      for (const authorization of [
        'Bearer',
        'Bearer ',
        `Basic ${token}`,
        token,
        `Bearer ${token}x`,
        `Bearer ${token} x`,
        `Bearer ${'a'.repeat(9000)}`,
        'Bearer unwrite_operator_',
        `Bearer "${token}"`,
      ]) {
        expectError(await call(session, { headers: { authorization } }), 401);
      }
      expect((await call(session, { headers: { authorization: `bearer  ${token}` } })).status).toBe(
        200,
      );
    });

    it('need a role and a name that is allowed in the audit log', async () => {
      for (const args of [
        ['--name', 'x'],
        ['--role', 'root', '--name', 'x'],
        ['--role', 'admin', '--name', 'a\nb'],
        ['--role', 'admin', '--name', ' x'],
        ['--role', 'admin', '--name', 'x', '--expires-in-days', '0'],
      ]) {
        expect((await unwrite('operator', 'client', 'create', ...args)).exitCode).toBe(2);
      }
    });
  });
}
