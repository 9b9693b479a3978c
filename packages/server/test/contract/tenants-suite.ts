// What every store must do for controllers, clients and secrets. It passes when describeTenants does.
import { describe, expect, it } from 'vitest';
import type { Client, ClientSecret } from '../../src/domain/tenant/tenants.ts';
import { ACME, GLOBEX, NOON, type OpenRecords } from './records/under-test.ts';
import { useRecords } from './records/use-records.ts';

const aClient = (clientId: string, changes: Partial<Client> = {}): Client => ({
  clientId,
  controllerId: ACME,
  name: null,
  createdTime: NOON,
  revokedTime: null,
  ...changes,
});

const aSecret = (secretId: string, clientId: string, createdTime = NOON): ClientSecret => ({
  secretId,
  clientId,
  createdTime,
  revokedTime: null,
  digest: Buffer.alloc(32, secretId),
});

export function describeTenants(name: string, openRecords: OpenRecords): void {
  describe(`tenants in ${name}`, () => {
    const use = useRecords(openRecords);

    it('are found by their ids, in order', async () => {
      const { node, other } = use();
      expect((await other.tenants.controllers()).map((it) => it.controllerId)).toEqual([
        ACME,
        GLOBEX,
      ]);
      expect(await other.tenants.controller(ACME)).toEqual({
        controllerId: ACME,
        name: null,
        ssoOrganisation: null,
        createdTime: 0,
        closedTime: null,
      });
      await node.tenantWriter.addClient(aClient('b'), aSecret('s', 'b'), 'operator:olga');
      await node.tenantWriter.addClient(aClient('a'), aSecret('t', 'a'), 'operator:olga');
      const ofGlobex = aClient('c', { controllerId: GLOBEX, createdTime: NOON - 1, name: 'Shop' });
      await node.tenantWriter.addClient(ofGlobex, aSecret('u', 'c'), 'operator:olga');
      expect(await other.tenants.clients()).toEqual([aClient('a'), aClient('b'), ofGlobex]);
      expect(await other.tenants.clients(GLOBEX)).toEqual([ofGlobex]);
      expect(await other.tenants.client('b')).toEqual(aClient('b'));
    });

    it('are found by the name that single sign-on has for them, which is one controller’s', async () => {
      const { node, other } = use();
      const controller = { controllerId: ACME, createdTime: 0, name: null, ssoOrganisation: null };
      const organisation = { name: 'Acme', ssoOrganisation: 'org_1' };
      const changed = { ...controller, ...organisation };
      const update = () => node.tenantWriter.updateController(changed, controller, NOON, 'system');
      expect(await update()).toBe(true);
      // It is not as it was any more: somebody was first.
      expect(await update()).toBe(false);
      expect(await other.tenants.controller(ACME)).toEqual({
        ...controller,
        ...organisation,
        closedTime: null,
      });
      expect(await other.tenants.controllerOfOrganisation('org_1')).toBe(ACME);
      expect(await other.tenants.controllerOfOrganisation('ORG_1')).toBeUndefined();
      const second = { controllerId: GLOBEX, createdTime: 0, ...organisation };
      await expect(
        node.tenantWriter.updateController(
          second,
          { name: null, ssoOrganisation: null },
          NOON,
          'system',
        ),
      ).rejects.toBeDefined();
      expect(await other.tenants.controllerOfOrganisation('org_1')).toBe(ACME);
    });

    it('are closed once: their clients are revoked, and there are no new ones', async () => {
      const { node, other } = use();
      await node.tenantWriter.addClient(aClient('a'), aSecret('s', 'a'), 'operator:olga');
      const close = () => node.tenantWriter.closeController(ACME, 'ended', NOON, 'operator:olga');
      expect(await close()).toBe(true);
      expect(await close()).toBe(false);
      expect(await other.tenants.controller(ACME)).toMatchObject({ closedTime: NOON });
      expect(await other.tenants.client('a')).toMatchObject({ revokedTime: NOON });
      expect(await other.tenants.mayUse('a', 's')).toBe(false);
      await expect(
        node.tenantWriter.addClient(aClient('b'), aSecret('t', 'b'), 'operator:olga'),
      ).rejects.toThrow('is closed');
    });

    it('ids that cannot exist are not found', async () => {
      const { tenants } = use().node;
      for (const id of ['', 'nobody', 'a\0b', '\u{1f600}', "'; --"]) {
        expect(await tenants.client(id)).toBeUndefined();
        expect(await tenants.usableSecrets(id)).toEqual([]);
        expect(await tenants.controllerOfOrganisation(id)).toBeUndefined();
      }
    });

    it('may use a secret until it is revoked, or the client is', async () => {
      const { node, other } = use();
      const { tenantWriter } = node;
      await tenantWriter.addClient(aClient('a'), aSecret('s', 'a'), 'operator:olga');
      await tenantWriter.addSecret(aSecret('t', 'a', NOON + 1), 'operator:olga');
      const { tenants } = other;
      const usable = await tenants.usableSecrets('a');
      expect(usable.map(({ secretId }) => secretId).sort()).toEqual(['s', 't']);
      const [first] = usable.filter(({ secretId }) => secretId === 's');
      expect(Buffer.from(first?.digest ?? [])).toEqual(Buffer.alloc(32, 's'));
      expect(first?.controllerId).toBe(ACME);

      await tenantWriter.revokeSecret('s', NOON + 2, 'operator:olga');
      expect(await tenants.mayUse('a', 's')).toBe(false);
      expect(await tenants.mayUse('a', 't')).toBe(true);
      expect(await tenants.mayUse('a', null)).toBe(true);
      expect(await tenants.mayUse('b', 't')).toBe(false);
      expect((await tenants.secrets('a')).map((it) => it.revokedTime)).toEqual([NOON + 2, null]);

      await tenantWriter.revokeClient('a', NOON + 3, 'operator:olga');
      expect(await tenants.mayUse('a', 't')).toBe(false);
      expect(await tenants.mayUse('a', null)).toBe(false);
      expect(await tenants.usableSecrets('a')).toEqual([]);
      expect((await tenants.client('a'))?.revokedTime).toBe(NOON + 3);
    });

    it('leave a row in the audit log with each change, and none if nothing changed', async () => {
      const { node } = use();
      const { tenantWriter, auditLog } = node;
      const client = aClient('a');
      await tenantWriter.addClient(client, aSecret('s', 'a'), 'operator:olga');
      await tenantWriter.addSecret(aSecret('t', 'a', NOON + 1), 'operator:olga');
      await tenantWriter.recordToken(client, NOON + 2, 'operator:olga');
      for (const time of [NOON + 3, NOON + 4]) {
        await tenantWriter.revokeSecret('s', time, 'operator:olga');
        await tenantWriter.revokeClient('a', time, 'operator:olga');
      }
      const rows = await auditLog.list({ actor: 'operator:olga', limit: 100 });
      expect(rows.every((row) => row.controllerId === ACME)).toBe(true);
      const detail = { client_id: 'a' };
      expect(rows.map((row) => [row.action, row.time, JSON.parse(row.detail ?? '')])).toEqual(
        [
          ['client.created', NOON, { ...detail, secret_id: 's' }],
          ['secret.created', NOON + 1, { ...detail, secret_id: 't' }],
          ['token.issued', NOON + 2, detail],
          ['secret.revoked', NOON + 3, { ...detail, secret_id: 's' }],
          ['client.revoked', NOON + 3, detail],
        ].toReversed(),
      );
    });

    it('creating a tenant that already exists changes nothing', async () => {
      const { node } = use();
      const controller = { controllerId: ACME, name: 'x', ssoOrganisation: null, createdTime: 1 };
      await expect(node.tenantWriter.addController(controller, 'olga')).rejects.toBeDefined();
      expect((await node.tenants.controller(ACME))?.name).toBeNull();
      expect(await node.auditLog.list({ actor: 'olga', limit: 9 })).toEqual([]);
    });
  });
}
