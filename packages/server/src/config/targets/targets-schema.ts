// The JSON schema for editors, and the only list of the fields of each connector's targets.
import {
  SQL_CONNECTORS,
  type SqlConnector,
  type TargetConfig,
} from '../../domain/target/target.ts';
import { allowPrivate } from '../special-kinds.ts';
import { callTimeout, httpVerify, pollTimeout } from './read-http-target.ts';
import { moduleTimeout } from './read-module-target.ts';
import { COMMON, describe, object, type Schema, target, text } from './schema-parts.ts';
import { databaseTarget } from './sql/sql-schema.ts';

const http = target(
  ['http'],
  {
    url: describe(text, 'Address that gets the batches, without user and password'),
    bearer: describe(text, 'Token to send'),
    basic: describe(
      object({ username: text, password: text }, ['username', 'password']),
      'Basic auth',
    ),
    hmac: describe(text, 'Secret that signs each call'),
    ...COMMON,
    verify: describe(
      httpVerify.schema,
      'none: trust the target without asking it again. Default: requery',
    ),
    allow_private: describe(
      allowPrivate.schema,
      'Whether private addresses may be reached, or which. Default: false',
    ),
    timeout: describe(callTimeout.schema, 'Timeout of one call. Default: 10s'),
    poll_timeout: describe(
      pollTimeout.schema,
      'Timeout of a whole answer by polling. Default: 10m',
    ),
  },
  ['url'],
);

const manual = target(
  ['manual'],
  {
    instructions: describe(text, 'Instructions for the person who erases'),
    controllers: COMMON.controllers,
  },
  [],
);

const module = target(
  ['module'],
  {
    file: describe(text, 'Your module, relative to the folder of this file'),
    options: describe({ type: 'object' }, 'Passed to the module unchanged'),
    ...COMMON,
    timeout: describe(moduleTimeout.schema, 'Timeout of one call. Default: 5m'),
  },
  ['file'],
);

/** A sandbox's target cannot be configured. */
export type ConnectorName = Exclude<TargetConfig['connector'], 'sandbox'>;

const DATABASES = Object.fromEntries(
  SQL_CONNECTORS.map((connector) => [connector, databaseTarget(connector)]),
) as Record<SqlConnector, Schema>;

const SCHEMAS: Readonly<Record<ConnectorName, Schema>> = {
  ...DATABASES,
  http,
  manual,
  module,
};

export const CONNECTORS = Object.keys(SCHEMAS) as readonly ConnectorName[];
export const TARGET_NAME = '^[a-z0-9][a-z0-9_-]{0,63}$';

export const targetsSchema: Schema = {
  type: 'object',
  propertyNames: { pattern: TARGET_NAME },
  additionalProperties: { oneOf: [...new Set(Object.values(SCHEMAS))] },
};

/** The fields that a target of this connector may have. */
export function namesFor(connector: ConnectorName): string[] {
  return Object.keys(SCHEMAS[connector].properties as Schema);
}
