import {
  integer,
  list,
  maybeInteger,
  maybeText,
  maybeTime,
  record,
  text,
  time,
} from '../shared/shapes.ts';

const controller = {
  controller_id: text,
  name: maybeText,
  sso_organisation: maybeText,
  created_time: time,
  closed_time: { ...maybeTime, description: 'When its contract ended' },
};

export const controllerLineShape = record({ ...controller, clients: integer });

const usage = record({ started: integer, completed: integer, cancelled: integer });

export const controllerPageShape = record({
  ...controller,
  etag: text,
  usage: record({ today: usage, total: usage, max_starts_per_day: maybeInteger }),
  sso_issuers: list(record({ issuer: text, organisation_claim: text })),
  clients: list(
    record({
      client_id: text,
      name: maybeText,
      created_time: time,
      revoked_time: maybeTime,
      secrets: list(record({ secret_id: text, created_time: time, revoked_time: maybeTime })),
    }),
  ),
});

export const newSecretShape = record({
  client_id: text,
  controller_id: text,
  secret_id: text,
  client_secret: { ...text, description: 'Shown here only, once' },
  audience: text,
  token_url: text,
});
