// Somebody can write to our database, but has no master key: nobody acts for us by that.
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { useInstallation } from '../cli/use-installation.ts';
import { type Credentials, call, getToken } from '../helpers/http/api.ts';
import { postToken, tokenFields } from '../helpers/http/token-request.ts';
import { storesInMatrix } from '../helpers/stores/test-store.ts';

for (const kind of await storesInMatrix('auth/forged-rows')) {
  describe(`rows that were not written by us, on ${kind}`, () => {
    const installation = useInstallation(kind);
    const { inStore, json, client } = installation;
    const bytes = (buffer: Buffer) =>
      kind === 'sqlite' ? `x'${buffer.toString('hex')}'` : `'\\x${buffer.toString('hex')}'`;

    async function statusOfToken(credentials: Credentials): Promise<number> {
      const { base_url } = credentials;
      return (await postToken(base_url, 'json', tokenFields(credentials))).status;
    }
    const discovery = async ({ base_url }: Credentials, token: string) =>
      (await call(`${base_url}/discovery`, { token })).status;
    const alarms = async (about: string): Promise<string[]> =>
      (await json('alarms', 'list'))
        .filter(
          ({ kind: of, message }: Record<string, string>) =>
            of === 'row_refused' && message?.includes(about),
        )
        .map(({ message }: { message: string }) => message);

    it('grant no access: a secret, a client, a client of another controller, a revoked client', async () => {
      const own = await client('acme');
      await installation.serve();
      const secret = 'unwrite_by_the_attacker';
      const digest = bytes(createHash('sha256').update(secret).digest());

      await inStore(
        `INSERT INTO client_secrets (secret_id, client_id, digest, created_time)
         VALUES ('sec_forged', '${own.client_id}', ${digest}, 1)`,
      );
      expect(await statusOfToken({ ...own, client_secret: secret })).toBe(401);
      // What is ours goes on.
      const token = await getToken(own);
      expect(await discovery(own, token)).toBe(200);

      await inStore(
        `INSERT INTO clients (client_id, controller_id, created_time) VALUES ('cli_forged', 'acme', 1)`,
      );
      await inStore(
        `INSERT INTO client_secrets (secret_id, client_id, digest, created_time, mac)
         SELECT 'sec_copied', 'cli_forged', ${digest}, 1, mac FROM client_secrets
         WHERE client_id = '${own.client_id}' AND mac IS NOT NULL`,
      );
      expect(await statusOfToken({ ...own, client_id: 'cli_forged', client_secret: secret })).toBe(
        401,
      );

      const other = await client('globex');
      await inStore(
        `UPDATE clients SET controller_id = 'acme' WHERE client_id = '${other.client_id}'`,
      );
      expect(await statusOfToken(other)).toBe(401);

      const revoked = await client('acme');
      await json('client', 'revoke', revoked.client_id);
      await inStore(
        `UPDATE clients SET revoked_time = NULL WHERE client_id = '${revoked.client_id}'`,
      );
      expect(await statusOfToken(revoked)).toBe(401);

      await expect.poll(() => alarms('sec_forged')).toHaveLength(1);
      expect((await alarms('client cli_forged'))[0]).toContain('its tokens are refused');
      expect(await discovery(own, token)).toBe(200);
    });

    it('sign no tokens', async () => {
      const own = await client('acme');
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = {
        ...publicKey.export({ format: 'jwk' }),
        kid: 'forged',
        use: 'sig',
        alg: 'ES256',
      };
      await inStore(
        `INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, created_time)
         SELECT 'forged', '${JSON.stringify(jwk)}', sealed_private_key, created_time + 1 FROM signing_keys
         WHERE retired_time IS NULL`,
      );
      const forged = await new SignJWT({ client_id: own.client_id, controller_id: 'acme' })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'forged' })
        .setIssuer(own.base_url)
        .setAudience(own.audience)
        .setSubject(own.client_id)
        .setIssuedAt()
        .setExpirationTime('5m')
        .setJti(randomUUID())
        .sign(privateKey);
      await expect.poll(() => alarms('signing key forged'), { timeout: 10_000 }).toHaveLength(1);
      expect(await discovery(own, forged)).toBe(401);
      const { body } = await call(`${own.base_url}/.well-known/jwks.json`);
      expect(body.keys.map(({ kid }: { kid: string }) => kid)).not.toContain('forged');
      expect(await discovery(own, await getToken(own))).toBe(200);
    });

    it('leave no server without a key for tokens: where all were deleted, the next token is signed with a new one', async () => {
      const own = await client('acme');
      await inStore('DELETE FROM signing_keys');
      async function keysAfterToken(): Promise<number> {
        await statusOfToken(own);
        return (await inStore('SELECT kid FROM signing_keys')).length;
      }
      // A server reads its keys again after some seconds.
      await expect.poll(keysAfterToken, { timeout: 15_000, interval: 500 }).toBe(1);
      expect(await discovery(own, await getToken(own))).toBe(200);
    });

    it('move no organisation to another controller', async () => {
      await json('controller', 'create', 'initech', '--sso-organisation', 'org_1');
      await client('globex');
      await inStore(
        `UPDATE controllers SET sso_organisation = NULL WHERE controller_id = 'initech'`,
      );
      await inStore(
        `UPDATE controllers SET sso_organisation = 'org_1' WHERE controller_id = 'globex'`,
      );
      const listed = await json('controller', 'list');
      const ids = listed.map(({ controller_id }: { controller_id: string }) => controller_id);
      expect(ids).toEqual(['acme']);
    });

    it('are not treated as rows from before there was a key', async () => {
      const known = `${installation.options().dataDir}/row-key.json`;
      expect(existsSync(known)).toBe(true);
      const all = ['controllers', 'clients', 'client_secrets'];
      await inStore("DELETE FROM own_secrets WHERE name = 'row authentication'");
      const refused = await installation.unwrite('client', 'list');
      expect([refused.exitCode, refused.stderr]).toEqual([
        78,
        expect.stringContaining('the store has lost secrets of its own ("row authentication")'),
      ]);
      for (const table of all) await inStore(`UPDATE ${table} SET mac = NULL`);
      expect((await installation.unwrite('client', 'list')).exitCode).toBe(78);
      // As on a node with a new data folder: the log, and the keys that it published, tell that there was a key.
      rmSync(known);
      const anew = await installation.unwrite('client', 'list');
      expect([anew.exitCode, anew.stderr]).toEqual([
        78,
        expect.stringMatching(/"row authentication".*made after 20/),
      ]);
      expect(await inStore("SELECT name FROM own_secrets WHERE name LIKE 'row%'")).toEqual([]);
    });
  });
}
