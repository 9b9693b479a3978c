// A controller with its clients, their secrets by id, and how much it uses.

import type { Counted } from '../../domain/limit/daily-count.ts';
import { dayOf } from '../../domain/limit/day.ts';
import type { Store } from '../../domain/store/store.ts';
import type { SsoIssuer } from '../../domain/tenant/sso-issuer.ts';
import type { Client, ClientSecret, Controller } from '../../domain/tenant/tenants.ts';
import { etagOf } from '../etag.ts';
import { isoTime } from '../iso-time.ts';
import { findController } from './find-controller.ts';

export interface ControllerSettings {
  readonly maxStartsPerDay: number | null;
  readonly sso: readonly SsoIssuer[];
}

export async function controllerPage(
  { tenants, views, clock }: Pick<Store, 'tenants' | 'views' | 'clock'>,
  { maxStartsPerDay, sso }: ControllerSettings,
  id: string,
) {
  const controller = await findController(tenants, id);
  const { controllerId } = controller;
  const clients = [];
  for (const client of await tenants.clients(controllerId)) {
    clients.push(clientShape(client, await tenants.secrets(client.clientId)));
  }
  const today = dayOf(clock());
  const counts = await views.dailyCounts(USED, { from: today, until: today }, controllerId);
  const ofToday = new Map(counts.map(({ what, count }) => [what, count]));
  return {
    ...controllerShape(controller),
    etag: controllerEtag(controller),
    usage: {
      today: usageOf(ofToday),
      total: usageOf(await views.totals(controllerId)),
      max_starts_per_day: maxStartsPerDay,
    },
    sso_issuers: sso
      .filter(({ controllers }) => controllers === '*' || controllers.includes(controllerId))
      .map(({ issuer, organisationClaim }) => ({ issuer, organisation_claim: organisationClaim })),
    clients,
  };
}

const USED = ['starts', 'completed', 'cancelled'] as const;

export function controllerEtag({
  controllerId,
  name,
  ssoOrganisation,
  closedTime = null,
}: Controller): string {
  return etagOf('controller', controllerId, name, ssoOrganisation, closedTime);
}

export function controllerShape(controller: Controller) {
  const { controllerId, name, ssoOrganisation, createdTime, closedTime = null } = controller;
  return {
    controller_id: controllerId,
    name,
    sso_organisation: ssoOrganisation,
    created_time: isoTime(createdTime),
    closed_time: isoTime(closedTime),
  };
}

function clientShape(client: Client, secrets: readonly ClientSecret[]) {
  return {
    client_id: client.clientId,
    name: client.name,
    created_time: isoTime(client.createdTime),
    revoked_time: isoTime(client.revokedTime),
    secrets: secrets.map((secret) => ({
      secret_id: secret.secretId,
      created_time: isoTime(secret.createdTime),
      revoked_time: isoTime(secret.revokedTime),
    })),
  };
}

function usageOf(counts: ReadonlyMap<Counted, number>) {
  return {
    started: counts.get('starts') ?? 0,
    completed: counts.get('completed') ?? 0,
    cancelled: counts.get('cancelled') ?? 0,
  };
}
