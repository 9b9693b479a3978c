import { beforeEach, describe, expect, it } from 'vitest';
import { authenticateClient } from '../../src/auth/authenticate-client.ts';
import { makeSecret, type NewSecret } from '../../src/auth/client-secret.ts';
import type { ControllerId } from '../../src/domain/controller-id.ts';

const CLIENT = 'cli_1';

let secrets: NewSecret[];
let found: boolean[];
let tenants: Parameters<typeof authenticateClient>[0];

beforeEach(() => {
  secrets = [makeSecret(), makeSecret()];
  found = [];
  tenants = {
    usableSecrets(clientId) {
      found.push(clientId === CLIENT);
      if (clientId !== CLIENT) return [];
      return secrets.map(({ secretId, digest }) => ({
        secretId,
        digest,
        controllerId: 'acme' as ControllerId,
      }));
    },
  };
});

const secretAt = (index: number) => secrets[index]?.secret ?? '';

describe('a client', () => {
  it('is known by each of its secrets, and the one that fits is named', () => {
    for (const index of [0, 1]) {
      const fitting = authenticateClient(tenants, CLIENT, secretAt(index));
      expect(fitting?.secretId).toBe(secrets[index]?.secretId);
    }
  });

  it('is not known by anything else', () => {
    for (const wrong of ['', 'unwrite_', `${secretAt(0)}x`, secretAt(0).slice(0, -1)]) {
      expect(authenticateClient(tenants, CLIENT, wrong)).toBeUndefined();
    }
  });

  it('that is unknown is not let in by the secret of another, however often it tries', () => {
    authenticateClient(tenants, CLIENT, secretAt(0));
    for (let i = 0; i < 3; i++) {
      expect(authenticateClient(tenants, 'cli_2', secretAt(0))).toBeUndefined();
    }
  });
});

describe('the work of a refusal', () => {
  it('is the same for an unknown client and a wrong secret: one look-up finds, one does not', () => {
    authenticateClient(tenants, CLIENT, secretAt(0));
    found = [];
    authenticateClient(tenants, CLIENT, 'wrong');
    expect(found.toSorted()).toEqual([false, true]);

    found = [];
    authenticateClient(tenants, 'cli_2', 'wrong');
    expect(found.toSorted()).toEqual([false, true]);
  });

  it('is spared where the secret is right', () => {
    authenticateClient(tenants, CLIENT, secretAt(0));
    expect(found).toEqual([true]);
  });
});
