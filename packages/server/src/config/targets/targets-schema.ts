// The JSON schema for editors, and the only list of the fields of each connector's targets.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import {
  SQL_CONNECTORS,
  type SqlConnector,
  type TargetConfig,
} from '../../domain/target/target.ts';
import { allowPrivate } from '../special-kinds.ts';
import { mode } from './common-fields.ts';
import { callTimeout, httpVerify, pollTimeout } from './read-http-target.ts';
import { moduleTimeout } from './read-module-target.ts';
import { lookAgain } from './read-opendsr-target.ts';
import { COMMON, describe, list, object, type Schema, target, text } from './schema-parts.ts';
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

const oauth = object({ token_url: text, client_id: text, client_secret: text, audience: text }, [
  'token_url',
  'client_id',
  'client_secret',
  'audience',
]);

const opendsr = target(
  ['opendsr'],
  {
    url: describe(text, 'Where /discovery of the other processor is'),
    requests_path: describe(text, 'Where its requests are below url. Default: /requests'),
    oauth: describe(oauth, 'OAuth 2.0 client credentials'),
    bearer: describe(text, 'Token to send'),
    basic: describe(
      object({ username: text, password: text }, ['username', 'password']),
      'Basic auth',
    ),
    ...COMMON,
    tenancy: describe({ const: 'none' }, 'The other processor does not tell controllers apart'),
    identities: describe(
      list({ enum: IDENTITY_TYPES }),
      'Types of identities to send. Default: all',
    ),
    signed: describe(
      object({ domain: text, certificate: text }, ['domain', 'certificate']),
      'Domain and certificate (a PEM file) that answers must be signed with',
    ),
    allow_private: describe(
      allowPrivate.schema,
      'Whether private addresses may be reached, or which. Default: false',
    ),
    timeout: describe(callTimeout.schema, 'Timeout of one call. Default: 30s'),
    look_again: describe(
      lookAgain.schema,
      'How long until an unfinished request is looked at again. Default: 1h',
    ),
  },
  ['url'],
);

const texts = { type: 'object', additionalProperties: text };

const rest = target(
  ['rest'],
  {
    recipe: describe(text, 'Name of a recipe, or a file, relative to the folder of this file'),
    settings: describe(texts, 'What the recipe asks for, such as a subdomain'),
    secrets: describe(texts, 'Credentials that the recipe asks for'),
    ...COMMON,
    mode: describe(
      mode.schema,
      'preview: count and hold, erase nothing until released. Default: preview',
    ),
    tenancy: describe({ const: 'none' }, 'The account does not tell controllers apart'),
    allow_private: describe(
      allowPrivate.schema,
      'Whether private addresses may be reached, or which. Default: false',
    ),
    timeout: describe(callTimeout.schema, 'Timeout of one call. Default: 30s'),
  },
  ['recipe'],
);

const s3 = target(
  ['s3'],
  {
    url: describe(
      text,
      'Address of the bucket, such as https://s3.eu-central-1.amazonaws.com/my-bucket',
    ),
    region: describe(text, 'Region. Default: us-east-1'),
    access_key: describe(text, 'Id of the access key'),
    secret_key: describe(text, 'The secret of it'),
    session_token: describe(text, 'Token of a temporary access key'),
    objects: describe(
      texts,
      'Keys with an identity, by name; one that ends with "/" means all below',
    ),
    versions: describe({ type: 'boolean' }, 'false: the server keeps no versions. Default: true'),
    ...COMMON,
    tenancy: describe({ const: 'none' }, 'The keys do not tell controllers apart'),
    allow_private: describe(
      allowPrivate.schema,
      'Whether private addresses may be reached, or which. Default: false',
    ),
    timeout: describe(callTimeout.schema, 'Timeout of one call. Default: 30s'),
  },
  ['url', 'access_key', 'secret_key', 'objects'],
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
  opendsr,
  rest,
  s3,
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
