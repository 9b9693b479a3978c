// Controllers and their credentials in the store.
import type { ControllerId } from './controller-id.ts';
import type { Client, ClientSecret, Controller, UsableSecret } from './tenants.ts';

export interface TenantStore {
  controllers(): Promise<Controller[]>;
  controller(controllerId: ControllerId): Promise<Controller | undefined>;
  controllerOfOrganisation(organisation: string): Promise<ControllerId | undefined>;
  clients(controllerId?: ControllerId): Promise<Client[]>;
  client(clientId: string): Promise<Client | undefined>;
  secrets(clientId: string): Promise<ClientSecret[]>;
  /** The secrets that a token request is checked against; none if the client is unknown or revoked. */
  usableSecrets(clientId: string): Promise<UsableSecret[]>;
  /** Whether a token that this client got with this secret is still valid. */
  mayUse(clientId: string, secretId: string | null): Promise<boolean>;
}

/** Each change writes its audit row in the same transaction. */
export interface TenantWriter {
  addController(controller: Controller, actor: string): Promise<void>;
  /** False if the controller has changed since; nothing was written then. */
  updateController(
    controller: Controller,
    before: Pick<Controller, 'name' | 'ssoOrganisation'>,
    time: number,
    actor: string,
  ): Promise<boolean>;
  /** Revokes all its clients, too. False if it was closed before; nothing was written then. */
  closeController(
    controllerId: ControllerId,
    reason: string,
    time: number,
    actor: string,
  ): Promise<boolean>;
  addClient(client: Client, secret: ClientSecret, actor: string): Promise<void>;
  addSecret(secret: ClientSecret, actor: string): Promise<void>;
  revokeClient(clientId: string, time: number, actor: string): Promise<void>;
  revokeSecret(secretId: string, time: number, actor: string): Promise<void>;
  /** An operator took a token for a client without its secret. */
  recordToken(client: Client, time: number, actor: string): Promise<void>;
}
