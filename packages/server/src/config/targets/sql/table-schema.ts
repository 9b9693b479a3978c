// JSON schema of the tables of a database target, for editors.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { oneOf } from '../../kinds.ts';
import { whenUnmatched } from '../common-fields.ts';
import { describe, list, mapOf, object, type Schema, text } from '../schema-parts.ts';
import { overwrite } from './overwrite-kind.ts';
import { LEAD } from './read-action.ts';
import { tenancyWord } from './read-tenancy.ts';
import { whereValue } from './read-where.ts';

export const shared = oneOf('hold', 'erase', 'keep');

const whereList = [whereValue.schema, list(whereValue.schema)];

const matched = {
  anyOf: [
    text,
    object(
      {
        column: describe(text, 'Column that holds the value'),
        path: describe(
          text,
          'Where in its JSON: $.contact.email, $["full name"], $.list[0] or $.list[*].email',
        ),
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

const whereValues = [
  ...whereList,
  object({ not: describe({ anyOf: whereList }, 'Rows with these values are excluded') }, ['not']),
];
const inTable = {
  type: 'object',
  properties: { in: describe(text, 'Table to whose primary key the column refers') },
  required: ['in'],
  minProperties: 2,
  maxProperties: 2,
  additionalProperties: { anyOf: whereValues },
};
const columnsTo = (anyOf: readonly Schema[]) => ({
  type: 'object',
  minProperties: 1,
  additionalProperties: { anyOf },
});

export const where = describe(
  columnsTo(whereValues),
  'Column to value, to a list of values, or to { not: … }: other rows are ignored',
);

const references = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { anyOf: [mapOf(text), list(mapOf(text))] },
};

/** The only list of the fields of a table. */
export const tableFields = {
  table: describe(text, 'Name, with its schema where needed: billing.invoices'),
  key: describe(
    { anyOf: [text, list(text)] },
    'Column or columns that name a row. Default: the primary key',
  ),
  where: describe(
    columnsTo([...whereValues, inTable]),
    'Column to value, to a list of values, to { not: … }, or to { in: <table>, <its column>: <values> }: other rows are ignored',
  ),
  match: describe(
    { ...object(columnsByIdentityType), minProperties: 1 },
    'Identity type to column or columns; a row that matches any of them belongs to the request',
  ),
  via: describe(
    references,
    'Parent table, or one entry of it as evidence calls it ("attachments (record_type: User)"), with column of this table to column of the parent, or a list of such references',
  ),
  tenant_column: describe(text, 'Name of its tenant column, where it differs'),
  tenant: describe(
    references,
    'Where it has no tenant column, or that is NULL: the table that knows the tenant of a row, with column of this table to column of that one',
  ),
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
        describe({ const: LEAD }, 'Only read, for "tenant" of other tables; may be a view'),
        object({ overwrite: describe(mapOf(overwrite.schema), 'Column to new value') }, [
          'overwrite',
        ]),
        object({ retain: describe(text, 'Why the rows are kept') }, ['retain']),
      ],
    },
    'What to do with the rows. Default: delete',
  ),
};
