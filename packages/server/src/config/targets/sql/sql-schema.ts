// JSON schema of database targets, for editors.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { SQL_PARAMETERS } from '../../../domain/target/sql-parameters.ts';
import { SQL_CONNECTORS, type SqlConnector } from '../../../domain/target/target.ts';
import {
  COMMON,
  describe,
  list,
  mapOf,
  object,
  type Schema,
  target,
  text,
} from '../schema-parts.ts';
import { isFile } from './databases.ts';
import { resolveLimit } from './read-resolve.ts';
import { lockTimeout, statementTimeout } from './read-sql-target.ts';
import { tenancyWord, tenantText } from './read-tenancy.ts';
import { tableFields, where } from './table-schema.ts';

const byIdentityType = Object.fromEntries(
  IDENTITY_TYPES.map((type) => [type, describe(text, `Column with the ${type}`)]),
);
const OWN: Schema = {
  tenant_column: describe(text, 'Column that says which controller a row belongs to'),
  tenancy: describe(tenancyWord.schema, 'none: rows are not told apart by controller'),
  tenants: describe(
    mapOf({ anyOf: [tenantText.schema, list(tenantText.schema)] }),
    "controller_id to the tenant column's value, or to a list of values. Default: the controller_id itself",
  ),
  tables: describe(list(object(tableFields, ['table'])), 'Tables, erased in this order'),
  cascades: describe(list(text), 'Further tables whose rows foreign keys or triggers may change'),
  triggers: describe(list(text), 'Triggers on the tables that you have reviewed'),
  detach: describe(
    list({ ...text, pattern: '.[.][^.]+$' }),
    'References in rows that stay, as table.column, that may become NULL where they refer to deleted rows',
  ),
  sql: describe(
    object(
      {
        preview: describe(text, 'SELECT that counts what would be erased'),
        erase: describe({ anyOf: [text, list(text)] }, 'Statement or statements that erase'),
        verify: describe(text, 'SELECT that counts what is left'),
      },
      ['preview', 'erase', 'verify'],
    ),
    `Hand-written SQL instead of tables, with ${SQL_PARAMETERS.map((name) => `:${name}`).join(', ')}`,
  ),
  resolve: describe(
    object(
      {
        table: describe(text, 'Table to look in'),
        where,
        from: describe(object(byIdentityType), 'Identity type that is known, with its column'),
        to: describe(
          object({
            ...byIdentityType,
            internal: describe(mapOf(text), 'Name of an id of your own, with its column'),
          }),
          'Identity type that is looked up, with its column',
        ),
        limit: describe(
          resolveLimit.schema,
          'Maximum results; a request with more is held. Default: 20',
        ),
      },
      ['table', 'from', 'to'],
    ),
    'Looks up one kind of identity from another before any target erases',
  ),
  accept: describe(
    mapOf(text),
    'Findings of "unwrite target check" that you have reviewed, each with the reason',
  ),
  ignore: describe(
    mapOf(text),
    'Tables, and columns as table.column, that look personal and that the plan leaves alone, each with the reason',
  ),
  statement_timeout: describe(statementTimeout.schema, 'Timeout of one statement. Default: 30s'),
  lock_timeout: describe(lockTimeout.schema, 'How long to wait for a lock. Default: 2s'),
};

const serverTarget = target(
  SQL_CONNECTORS.filter((name) => !isFile(name)),
  {
    url: describe(text, 'Such as postgres://user:password@host/database, or a variable'),
    ...COMMON,
    ...OWN,
  },
  ['url'],
);

const fileTarget = target(
  SQL_CONNECTORS.filter(isFile),
  {
    file: describe(text, "The database's file, relative to the folder of this file"),
    ...COMMON,
    ...OWN,
  },
  ['file'],
);

/** The schema of the database's targets. */
export function databaseTarget(connector: SqlConnector): Schema {
  return isFile(connector) ? fileTarget : serverTarget;
}
