// Creates and changes controllers and their credentials, for operators.

import type { Store } from '../domain/store/store.ts';
import {
  CONTROLLER_ID_RULE,
  type ControllerId,
  isControllerId,
} from '../domain/tenant/controller-id.ts';
import type { Client, Controller } from '../domain/tenant/tenants.ts';
import { makeClientId, makeSecret } from './client-secret.ts';

const MAX_USABLE_SECRETS = 5;

/** The operator's request is not possible; the message says why. */
export class ProvisionProblem extends Error {
  override readonly name = 'ProvisionProblem';
  /** `invalid`: the input is unusable; `missing`: no such object; `conflict`: the state does not allow it. */
  readonly kind: 'invalid' | 'missing' | 'conflict';

  constructor(message: string, kind: ProvisionProblem['kind'] = 'conflict') {
    super(message);
    this.kind = kind;
  }
}

export interface NewClient {
  readonly clientId: string;
  readonly secret: string;
  readonly madeController: boolean;
}

export interface Provision {
  controller(
    id: string,
    name: string | null,
    ssoOrganisation: string | null,
  ): Promise<ControllerId>;
  updateController(
    id: string,
    changes: Partial<Pick<Controller, 'name' | 'ssoOrganisation'>>,
    /** The controller at the time of the decision; left out: the current one. */
    before?: Pick<Controller, 'name' | 'ssoOrganisation'>,
  ): Promise<void>;
  client(controllerId: string, name: string | null): Promise<NewClient>;
  secret(clientId: string): Promise<{ secretId: string; secret: string }>;
  revokeClient(clientId: string): Promise<void>;
  revokeSecret(clientId: string, secretId: string): Promise<void>;
}

export function createProvision(
  { tenants, tenantWriter: writer, clock }: Pick<Store, 'tenants' | 'tenantWriter' | 'clock'>,
  actor: string,
): Provision {
  function parse(id: string): ControllerId {
    if (!isControllerId(id))
      throw new ProvisionProblem(
        `"${id}" is not a controller id: ${CONTROLLER_ID_RULE}`,
        'invalid',
      );
    return id;
  }

  async function existingClient(clientId: string): Promise<Client> {
    const client = await tenants.client(clientId);
    if (client === undefined)
      throw new ProvisionProblem(`there is no client ${clientId}`, 'missing');
    return client;
  }

  /** False if it exists, including if another process created it between our read and our insert. */
  async function addController(
    id: ControllerId,
    name: string | null,
    organisation: string | null,
  ): Promise<boolean> {
    if ((await tenants.controller(id)) !== undefined) return false;
    try {
      await writer.addController(
        { controllerId: id, name, ssoOrganisation: organisation, createdTime: clock() },
        actor,
      );
      return true;
    } catch (error) {
      if ((await tenants.controller(id)) !== undefined) return false;
      throw error;
    }
  }

  /** One organisation must mean one controller, or its users would be refused. */
  async function checkOrganisation(
    controllerId: ControllerId,
    organisation: string | null,
  ): Promise<void> {
    if (organisation === null) return;
    const recorded = await tenants.controllerOfOrganisation(organisation);
    if (recorded !== undefined && recorded !== controllerId) {
      throw new ProvisionProblem(`the organisation is recorded for controller ${recorded} already`);
    }
    const isSlug = isControllerId(organisation) && organisation !== controllerId;
    if (isSlug && (await tenants.controller(organisation)) !== undefined) {
      throw new ProvisionProblem(`there is a controller ${organisation} already`);
    }
  }

  return {
    async controller(id, name, ssoOrganisation) {
      const controllerId = parse(id);
      await checkOrganisation(controllerId, ssoOrganisation);
      if (!(await addController(controllerId, name, ssoOrganisation))) {
        throw new ProvisionProblem(`controller ${id} exists already`);
      }
      return controllerId;
    },
    async updateController(id, changes, before) {
      const controller = isControllerId(id) ? await tenants.controller(id) : undefined;
      if (controller === undefined)
        throw new ProvisionProblem(`there is no controller ${id}`, 'missing');
      const updated = { ...controller, ...changes };
      await checkOrganisation(controller.controllerId, updated.ssoOrganisation);
      if (await writer.updateController(updated, before ?? controller, clock(), actor)) return;
      throw new ProvisionProblem(`controller ${id} was changed at the same time; read it again`);
    },
    async client(id, name) {
      const controllerId = parse(id);
      const madeController = await addController(controllerId, null, null);
      const { secret, secretId, digest } = makeSecret();
      const clientId = makeClientId();
      const createdTime = clock();
      await writer.addClient(
        { clientId, controllerId, name, createdTime, revokedTime: null },
        { secretId, clientId, digest, createdTime, revokedTime: null },
        actor,
      );
      return { clientId, secret, madeController };
    },
    async secret(clientId) {
      const client = await existingClient(clientId);
      if (client.revokedTime !== null) throw new ProvisionProblem(`client ${clientId} is revoked`);
      if ((await tenants.usableSecrets(clientId)).length >= MAX_USABLE_SECRETS) {
        throw new ProvisionProblem(
          `client ${clientId} has ${MAX_USABLE_SECRETS} secrets already; revoke one first`,
        );
      }
      const { secret, secretId, digest } = makeSecret();
      await writer.addSecret(
        { secretId, clientId, digest, createdTime: clock(), revokedTime: null },
        actor,
      );
      return { secretId, secret };
    },
    async revokeClient(clientId) {
      const client = await existingClient(clientId);
      if (client.revokedTime !== null) {
        throw new ProvisionProblem(`client ${clientId} is revoked already`);
      }
      await writer.revokeClient(clientId, clock(), actor);
    },
    async revokeSecret(clientId, secretId) {
      await existingClient(clientId);
      const secrets = await tenants.secrets(clientId);
      const secret = secrets.find((known) => known.secretId === secretId);
      if (secret === undefined) {
        throw new ProvisionProblem(`client ${clientId} has no secret ${secretId}`, 'missing');
      }
      if (secret.revokedTime !== null) {
        throw new ProvisionProblem(`secret ${secretId} is revoked already`);
      }
      await writer.revokeSecret(secretId, clock(), actor);
    },
  };
}
