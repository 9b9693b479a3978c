// Creates and revokes operators' clients for scripts.
import type { Clock } from '../../domain/clock.ts';
import type { OperatorRole } from '../../domain/operator/role.ts';
import type { OperatorStore, StoredOperatorClient } from '../../domain/operator/sign-in-ports.ts';
import { ProvisionProblem } from '../provision.ts';
import { makeOperatorClientId, makeOperatorToken } from './secrets.ts';

export const CLIENT_NAME = /^[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u;
export const CLIENT_NAME_RULE =
  'must have 1 to 100 characters, no control or invisible characters and no white space at either end';

export interface NewOperatorClient {
  readonly client: StoredOperatorClient;
  /** Shown once. */
  readonly token: string;
}

export interface OperatorClients {
  create(
    name: string,
    role: OperatorRole,
    lifetimeMs: number | null,
    actor: string,
  ): Promise<NewOperatorClient>;
  list(): Promise<StoredOperatorClient[]>;
  revoke(clientId: string, actor: string): Promise<void>;
}

/** Refuses with ProvisionProblem. */
export function createOperatorClients(store: OperatorStore, clock: Clock): OperatorClients {
  return {
    async create(name, role, lifetimeMs, actor) {
      const now = clock();
      const isLive = (it: StoredOperatorClient) =>
        it.revokedTime === null && (it.expiresTime === null || it.expiresTime > now);
      const same = (await store.clients()).find((it) => it.name === name && isLive(it));
      if (same !== undefined) {
        throw new ProvisionProblem(
          `there is a client of that name already (${same.clientId}), and the audit log tells them apart by it; revoke that, or choose another name`,
        );
      }
      const token = makeOperatorToken();
      const client = {
        clientId: makeOperatorClientId(),
        name,
        role,
        createdTime: now,
        revokedTime: null,
        expiresTime: lifetimeMs === null ? null : now + lifetimeMs,
      };
      await store.addClient(token, client, { actor, now });
      return { client, token };
    },
    list: () => store.clients(),
    async revoke(clientId, actor) {
      const outcome = await store.revokeClient(clientId, { actor, now: clock() });
      if (outcome === 'unknown') throw new ProvisionProblem(`there is no client ${clientId}`);
      if (outcome === 'before') {
        throw new ProvisionProblem(`client ${clientId} is revoked already`);
      }
    },
  };
}
