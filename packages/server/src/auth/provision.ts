// Controllers and their credentials, as operators make them.
import { CONTROLLER_ID_RULE, type ControllerId, isControllerId } from '../domain/controller-id.ts';
import type { Clock, TenantStore, TenantWriter } from '../domain/ports.ts';
import type { Client, Controller } from '../domain/tenants.ts';
import { makeClientId, makeSecret } from './client-secret.ts';

const MOST_USABLE_SECRETS = 5;

/** The operator asked for what cannot be; the message says why. */
export class ProvisionProblem extends Error {
  override readonly name = 'ProvisionProblem';
}

export interface NewClient {
  readonly clientId: string;
  readonly secret: string;
  readonly madeController: boolean;
}

export interface Provision {
  controller(id: string, name: string | null, ssoOrganisation: string | null): ControllerId;
  updateController(
    id: string,
    changes: Partial<Pick<Controller, 'name' | 'ssoOrganisation'>>,
  ): void;
  client(controllerId: string, name: string | null): NewClient;
  secret(clientId: string): { secretId: string; secret: string };
  revokeClient(clientId: string): void;
  revokeSecret(clientId: string, secretId: string): void;
}

export function createProvision(
  tenants: TenantStore,
  writer: TenantWriter,
  clock: Clock,
  actor: string,
): Provision {
  function parse(id: string): ControllerId {
    if (!isControllerId(id))
      throw new ProvisionProblem(`"${id}" will not do: ${CONTROLLER_ID_RULE}`);
    return id;
  }

  function existingClient(clientId: string): Client {
    const client = tenants.client(clientId);
    if (client === undefined) throw new ProvisionProblem(`there is no client ${clientId}`);
    return client;
  }

  /** False where it exists, also where another process made it between our look and our insert. */
  function addController(id: ControllerId, name: string | null, organisation: string | null) {
    if (tenants.controller(id) !== undefined) return false;
    try {
      writer.addController(
        { controllerId: id, name, ssoOrganisation: organisation, createdTime: clock() },
        actor,
      );
      return true;
    } catch (error) {
      if (tenants.controller(id) !== undefined) return false;
      throw error;
    }
  }

  /** One organisation must mean one controller, or its users would be refused. */
  function checkOrganisation(controllerId: ControllerId, organisation: string | null): void {
    if (organisation === null) return;
    const recorded = tenants.controllerOfOrganisation(organisation);
    if (recorded !== undefined && recorded !== controllerId) {
      throw new ProvisionProblem(`the organisation is recorded for controller ${recorded} already`);
    }
    const isSlug = isControllerId(organisation) && organisation !== controllerId;
    if (isSlug && tenants.controller(organisation) !== undefined) {
      throw new ProvisionProblem(`there is a controller ${organisation} already`);
    }
  }

  return {
    controller(id, name, ssoOrganisation) {
      const controllerId = parse(id);
      checkOrganisation(controllerId, ssoOrganisation);
      if (!addController(controllerId, name, ssoOrganisation)) {
        throw new ProvisionProblem(`controller ${id} exists already`);
      }
      return controllerId;
    },
    updateController(id, changes) {
      const controller = isControllerId(id) ? tenants.controller(id) : undefined;
      if (controller === undefined) throw new ProvisionProblem(`there is no controller ${id}`);
      const updated = { ...controller, ...changes };
      checkOrganisation(controller.controllerId, updated.ssoOrganisation);
      writer.updateController(updated, clock(), actor);
    },
    client(id, name) {
      const controllerId = parse(id);
      const madeController = addController(controllerId, null, null);
      const { secret, secretId, digest } = makeSecret();
      const clientId = makeClientId();
      const createdTime = clock();
      writer.addClient(
        { clientId, controllerId, name, createdTime, revokedTime: null },
        { secretId, clientId, digest, createdTime, revokedTime: null },
        actor,
      );
      return { clientId, secret, madeController };
    },
    secret(clientId) {
      const client = existingClient(clientId);
      if (client.revokedTime !== null) throw new ProvisionProblem(`client ${clientId} is revoked`);
      if (tenants.usableSecrets(clientId).length >= MOST_USABLE_SECRETS) {
        throw new ProvisionProblem(
          `client ${clientId} has ${MOST_USABLE_SECRETS} secrets already; revoke one first`,
        );
      }
      const { secret, secretId, digest } = makeSecret();
      writer.addSecret(
        { secretId, clientId, digest, createdTime: clock(), revokedTime: null },
        actor,
      );
      return { secretId, secret };
    },
    revokeClient(clientId) {
      const client = existingClient(clientId);
      if (client.revokedTime !== null) {
        throw new ProvisionProblem(`client ${clientId} is revoked already`);
      }
      writer.revokeClient(clientId, clock(), actor);
    },
    revokeSecret(clientId, secretId) {
      existingClient(clientId);
      const secret = tenants.secrets(clientId).find((known) => known.secretId === secretId);
      if (secret === undefined) {
        throw new ProvisionProblem(`client ${clientId} has no secret ${secretId}`);
      }
      if (secret.revokedTime !== null) {
        throw new ProvisionProblem(`secret ${secretId} is revoked already`);
      }
      writer.revokeSecret(secretId, clock(), actor);
    },
  };
}
