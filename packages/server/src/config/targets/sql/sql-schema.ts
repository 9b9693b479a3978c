// JSON schema of database targets, for editors.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { SQL_PARAMETERS } from '../../../domain/target/sql-parameters.ts';
import { whenUnmatched } from '../common-fields.ts';
import { COMMON, describe, list, object, type Schema, target, text } from '../schema-parts.ts';
import { overwrite } from './overwrite-kind.ts';
import { resolveLimit } from './read-resolve.ts';
import { lockTimeout, statementTimeout } from './read-sql-target.ts';
import { shared } from './read-tables.ts';
import { tenancyWord, tenantText } from './read-tenancy.ts';
import { whereValue } from './read-where.ts';

const whereList = [whereValue.schema, list(whereValue.schema)];

const byIdentityType = Object.fromEntries(
  IDENTITY_TYPES.map((type) => [type, describe(text, `Column with the ${type}`)]),
);
const matched = {
  anyOf: [
    text,
    object(
      {
        column: describe(text, 'Column that holds the value'),
        path: describe(text, 'Where in its JSON: $.contact.email, $["full name"] or $.list[0]'),
        trim: describe({ type: 'boolean' }, 'true: blanks around the stored value are ignored'),
      },
      ['column'],
    ),
  ],
};
const columnsByIdentityType = Object.fromEntries(
  IDENTITY_TYPES.map((type) => [
    type,
    describe({ anyOf: [...matched.anyOf, list(matched)] }, `Column or columns with the ${type}`),
  ]),
);

const where = describe(
  {
    type: 'object',
    minProperties: 1,
    additionalProperties: {
      anyOf: [
        ...whereList,
        object({ not: describe({ anyOf: whereList }, 'Rows with these values are excluded') }, [
          'not',
        ]),
      ],
    },
  },
  'Column to value, to a list of values, or to { not: … }: other rows are ignored',
);

const table = object(
  {
    table: describe(text, 'Name, with its schema where needed: billing.invoices'),
    key: describe(
      { anyOf: [text, list(text)] },
      'Column or columns that name a row. Default: the primary key',
    ),
    where,
    match: describe(
      { ...object(columnsByIdentityType), minProperties: 1 },
      'Identity type to column or columns; a row that matches any of them belongs to the request',
    ),
    via: describe(
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: { anyOf: [mapOf(text), list(mapOf(text))] },
      },
      'Parent table, or one entry of it as evidence calls it ("attachments (record_type: User)"), with column of this table to column of the parent, or a list of such references',
    ),
    tenant_column: describe(text, 'Name of its tenant column, where it differs'),
    tenancy: describe(
      tenancyWord.schema,
      'none: its rows are of all tenants; they are retained, and lead to rows that have the tenant column',
    ),
    shared: describe(
      shared.schema,
      'What to do with rows that also belong to somebody else. Default: hold',
    ),
    when_unmatched: describe(
      whenUnmatched.schema,
      'skip: a request without an identity for this table skips it. Default: hold',
    ),
    action: describe(
      {
        oneOf: [
          { const: 'delete' },
          object({ overwrite: describe(mapOf(overwrite.schema), 'Column to new value') }, [
            'overwrite',
          ]),
          object({ retain: describe(text, 'Why the rows are kept') }, ['retain']),
        ],
      },
      'What to do with the rows. Default: delete',
    ),
  },
  ['table'],
);

const OWN: Schema = {
  tenant_column: describe(text, 'Column that says which controller a row belongs to'),
  tenancy: describe(tenancyWord.schema, 'none: rows are not told apart by controller'),
  tenants: describe(
    mapOf(tenantText.schema),
    "controller_id to the tenant column's value. Default: the controller_id itself",
  ),
  tables: describe(list(table), 'Tables, erased in this order'),
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
        to: describe(object(byIdentityType), 'Identity type that is looked up, with its column'),
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
  statement_timeout: describe(statementTimeout.schema, 'Timeout of one statement. Default: 30s'),
  lock_timeout: describe(lockTimeout.schema, 'How long to wait for a lock. Default: 2s'),
};

export const serverTarget = target(
  ['postgres', 'mysql'],
  {
    url: describe(text, 'Such as postgres://user:password@host/database, or a variable'),
    ...COMMON,
    ...OWN,
  },
  ['url'],
);

export const sqliteTarget = target(
  ['sqlite'],
  {
    file: describe(text, "The database's file, relative to the folder of this file"),
    ...COMMON,
    ...OWN,
  },
  ['file'],
);

function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}
