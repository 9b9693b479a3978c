import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AuthenticateClient,
  createAuthenticateClient,
} from '../../src/auth/authenticate-client.ts';
import { makeSecret, type NewSecret } from '../../src/auth/client-secret.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';

const CLIENT = 'cli_1';

let secrets: NewSecret[];
let found: boolean[];
let now: number;
let authenticateClient: AuthenticateClient;

beforeEach(() => {
  secrets = [makeSecret(), makeSecret()];
  found = [];
  now = 0;
  const tenants = {
    async usableSecrets(clientId: string) {
      found.push(clientId === CLIENT);
      if (clientId !== CLIENT) return [];
      return secrets.map(({ secretId, digest }) => ({
        secretId,
        digest,
        controllerId: 'acme' as ControllerId,
      }));
    },
  };
  authenticateClient = createAuthenticateClient(tenants, () => now);
});

const secretAt = (index: number) => secrets[index]?.secret ?? '';

describe('a client', () => {
  it('is recognised by each of its secrets, and the matching secret is named', async () => {
    for (const index of [0, 1]) {
      const fitting = await authenticateClient(CLIENT, secretAt(index));
      expect(fitting?.secretId).toBe(secrets[index]?.secretId);
    }
  });

  it('is not known by anything else', async () => {
    for (const wrong of ['', 'unwrite_', `${secretAt(0)}x`, secretAt(0).slice(0, -1)]) {
      expect(await authenticateClient(CLIENT, wrong)).toBeUndefined();
    }
  });

  it('an unknown client is not let in by the secret of another, however often it tries', async () => {
    await authenticateClient(CLIENT, secretAt(0));
    for (let i = 0; i < 3; i++) {
      expect(await authenticateClient('cli_2', secretAt(0))).toBeUndefined();
    }
  });
});

describe('right credentials', () => {
  it('are remembered for a second, so that a revoked secret is soon refused', async () => {
    await authenticateClient(CLIENT, secretAt(0));
    const revoked = secretAt(0);
    secrets = [];
    now = 999;
    expect(await authenticateClient(CLIENT, revoked)).toBeDefined();
    now = 1000;
    expect(await authenticateClient(CLIENT, revoked)).toBeUndefined();
  });
});

describe('the work of a refusal', () => {
  it('is the same for an unknown client and a wrong secret: one look-up finds, one does not', async () => {
    await authenticateClient(CLIENT, secretAt(0));
    found = [];
    await authenticateClient(CLIENT, 'wrong');
    expect(found.toSorted()).toEqual([false, true]);

    found = [];
    await authenticateClient('cli_2', 'wrong');
    expect(found.toSorted()).toEqual([false, true]);
  });

  it('is spared if the secret is right', async () => {
    await authenticateClient(CLIENT, secretAt(0));
    expect(found).toEqual([true]);
  });
});
