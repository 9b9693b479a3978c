// The statements that make a generated schema, in each database's words.
import {
  type Column,
  type ColumnType,
  type DatabaseName,
  isMysqlLike,
  type Row,
  type Table,
  type Trigger,
} from './generated-case.ts';

const TYPES: Record<DatabaseName, Record<ColumnType, string>> = {
  postgres: {
    integer: 'integer',
    bigint: 'bigint',
    decimal: 'numeric(12, 0)',
    uuid: 'uuid',
    text: 'varchar(60)',
    folded: 'varchar(60) COLLATE folded',
    float: 'real',
    time: 'timestamptz',
    json: 'jsonb',
  },
  mariadb: {
    integer: 'int',
    bigint: 'bigint',
    decimal: 'decimal(12, 0)',
    uuid: 'uuid',
    text: 'varchar(60) COLLATE utf8mb4_bin',
    folded: 'varchar(60)',
    float: 'float',
    time: 'datetime',
    json: 'json',
  },
  // It has no type for UUIDs. Its own collations do not pad with blanks, the older ones do.
  mysql: {
    integer: 'int',
    bigint: 'bigint',
    decimal: 'decimal(12, 0)',
    uuid: 'char(36) COLLATE utf8mb4_0900_bin',
    text: 'varchar(60) COLLATE utf8mb4_bin',
    folded: 'varchar(60) COLLATE utf8mb4_0900_ai_ci',
    float: 'float',
    time: 'datetime',
    json: 'json',
  },
  sqlite: {
    integer: 'INTEGER',
    bigint: 'BIGINT',
    decimal: 'DECIMAL(12, 0)',
    uuid: 'TEXT',
    text: 'VARCHAR(60)',
    folded: 'VARCHAR(60) COLLATE NOCASE',
    float: 'REAL',
    time: 'TEXT',
    json: 'TEXT',
  },
};

export function writeSchema(
  database: DatabaseName,
  tables: readonly Table[],
  rows: Readonly<Record<string, readonly Row[]>>,
): string[] {
  return [
    ...tables.map((table) => writeTable(database, table)),
    ...(isMysqlLike(database) ? [] : tables.flatMap(writeIndexes)),
    ...tables.flatMap((table) => writeInserts(table, rows[table.name] ?? [])),
    ...(database === 'postgres' ? tables.flatMap(writeForeignKeys) : []),
    ...tables.flatMap((table) =>
      table.triggers.flatMap((one) => writeTrigger(database, table, one)),
    ),
  ];
}

function writeTable(database: DatabaseName, table: Table): string {
  const { name, primaryKey, unique, references } = table;
  const columns = table.columns.map(({ name, type, notNull }: Column) => {
    const isNotNull = notNull || primaryKey.includes(name);
    return `${name} ${TYPES[database][type]}${isNotNull ? ' NOT NULL' : ''}`;
  });
  const key = primaryKey.length > 0 ? [`PRIMARY KEY (${primaryKey.join(', ')})`] : [];
  // A statement that changes a table takes MariaDB 30 ms, so that all is said at once.
  const indexes = unique.map((index) => `UNIQUE (${index.columns.join(', ')})`);
  // PostgreSQL adds them after the rows, so that circles need no order; the others do not look meanwhile.
  const foreign = database === 'postgres' ? [] : references.flatMap(writeForeignKey);
  const parts = [...columns, ...key, ...(isMysqlLike(database) ? indexes : []), ...foreign];
  return `CREATE TABLE ${name} (${['rid integer', ...parts].join(', ')})`;
}

function writeIndexes({ name, unique }: Table): string[] {
  return unique.map(({ columns, kind }, index) => {
    const on = kind === 'expression' ? columns.map((one) => `lower(${one})`) : columns;
    const where = kind === 'partial' ? ' WHERE n < 1000' : '';
    return `CREATE UNIQUE INDEX ${name}_unique_${index} ON ${name} (${on.join(', ')})${where}`;
  });
}

function writeForeignKey({ parent, pairs, onDelete }: Table['references'][number]): string[] {
  if (onDelete === null) return [];
  const [from, to] = [pairs.map((pair) => pair.child), pairs.map((pair) => pair.parent)];
  return [
    `FOREIGN KEY (${from.join(', ')}) REFERENCES ${parent} (${to.join(', ')}) ON DELETE ${onDelete}`,
  ];
}

function writeForeignKeys({ name, references }: Table): string[] {
  return references.flatMap(writeForeignKey).map((key) => `ALTER TABLE ${name} ADD ${key}`);
}

function writeTrigger(database: DatabaseName, { name }: Table, trigger: Trigger): string[] {
  const nothing = {
    postgres: 'NULL',
    mariadb: 'SET @nothing = 1',
    mysql: 'SET @nothing = 1',
    sqlite: 'SELECT 1',
  };
  const body = {
    nothing: nothing[database],
    insert: `INSERT INTO ${trigger.to} (n, body) VALUES (1, 'deleted')`,
    update: `UPDATE ${trigger.to} SET n = n + 1`,
    delete: `DELETE FROM ${trigger.to} WHERE n = 1`,
  }[trigger.does];
  const head = `CREATE TRIGGER ${trigger.name} AFTER DELETE ON ${name} FOR EACH ROW`;
  if (database !== 'postgres') return [`${head} BEGIN ${body}; END`];
  const run = `${trigger.name}_run`;
  return [
    `CREATE FUNCTION ${run}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ${body.replaceAll("'", "''")}; RETURN NULL; END'`,
    `${head} EXECUTE FUNCTION ${run}()`,
  ];
}

export function writeInserts(
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  rows: readonly Row[],
): string[] {
  if (rows.length === 0) return [];
  const names = ['rid', ...columns.map((column) => column.name)];
  const values = rows.map(
    (row) => `(${names.map((one) => writeValue(row[one] ?? null)).join(', ')})`,
  );
  return [`INSERT INTO ${name} (${names.join(', ')}) VALUES ${values.join(', ')}`];
}

export const writeValue = (value: string | null) =>
  value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;

/** All rows of all tables, each as JSON of texts. */
export function writeSnapshot(database: DatabaseName, tables: readonly Table[]): string {
  return tables
    .map(({ name, columns }) => {
      const fields = ['rid', ...columns.map((column) => column.name)].map((column) => {
        const text = {
          postgres: `${column}::text`,
          mariadb: `CAST(${column} AS char)`,
          mysql: `CAST(${column} AS char)`,
          sqlite: `CAST(${column} AS text)`,
        };
        return `'${column}', ${text[database]}`;
      });
      const build = {
        postgres: 'json_build_object',
        mariadb: 'json_object',
        mysql: 'json_object',
        sqlite: 'json_object',
      };
      const json = `${build[database]}(${fields.join(', ')})`;
      return `SELECT '${name}' AS name, ${database === 'postgres' ? `${json}::text` : json} AS fields FROM ${name}`;
    })
    .join(' UNION ALL ');
}
