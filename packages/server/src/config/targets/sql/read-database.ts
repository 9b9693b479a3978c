// Reads only the database of a target, which may have no plan yet.
import { dirname } from 'node:path';
import { isObject } from '../../../domain/is-object.ts';
import { SQL_CONNECTORS, type SqlConnector } from '../../../domain/target/target.ts';
import { ConfigError } from '../../config.ts';
import { readConfigFile } from '../../read-file.ts';
import type { Environment } from '../../setting.ts';
import { createProblems, type Problems, readFields } from '../fields.ts';
import { fillVariables } from '../fill-variables.ts';
import { isFile } from './databases.ts';
import { readAddress } from './read-address.ts';

export interface TargetDatabase {
  readonly name: string;
  readonly connector: SqlConnector;
  /** May hold a password. */
  readonly address: string;
  /** Its line in the file; null if the line may hold a password. */
  readonly written: string | null;
  /** What it says of tenancy already, as lines of the file. */
  readonly tenancy: readonly string[];
  readonly tenantColumn: string | null;
}

/** Given on the command line, if there is no target of that name yet. */
export interface GivenDatabase {
  readonly connector?: string;
  /** Name of the variable that holds the address. */
  readonly urlVariable?: string;
  readonly file?: string;
}

/** Throws ConfigError. */
export function readTargetDatabase(
  name: string,
  given: GivenDatabase,
  explicitFile: string | undefined,
  environment: Environment,
  directory: string,
): TargetDatabase {
  const problems = createProblems();
  const found = Object.values(given).some((value) => value !== undefined)
    ? { raw: fieldsOf(given), place: name, directory }
    : findInFile(name, explicitFile, directory);
  const database = readDatabase(name, found.raw, found, environment, problems);
  if (problems.list.length > 0) throw new ConfigError(problems.list);
  return database;
}

interface Found {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly place: string;
  /** Relative paths start here. */
  readonly directory: string;
}

function fieldsOf({ connector, urlVariable, file }: GivenDatabase): Found['raw'] {
  return {
    connector,
    ...(urlVariable !== undefined && { url: `\${${urlVariable}}` }),
    ...(file !== undefined && { file }),
  };
}

function findInFile(name: string, explicit: string | undefined, directory: string): Found {
  const { path, values, problems } = readConfigFile(explicit, directory);
  if (problems.length > 0) throw new ConfigError(problems);
  const targets = isObject(values.targets) ? values.targets : {};
  const raw = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (isObject(raw)) {
    return { raw, place: `${path}: targets.${name}`, directory: dirname(path ?? directory) };
  }
  const names = Object.keys(targets).join(', ') || 'none';
  throw new ConfigError([
    `there is no target ${name} in ${path ?? 'unwrite.config.yaml'} (there are: ${names}); write its connector and its url or file there, or give --connector with --url-variable or --file`,
  ]);
}

function readDatabase(
  name: string,
  raw: Found['raw'],
  { place, directory }: Found,
  environment: Environment,
  problems: Problems,
): TargetDatabase {
  const { url, file } = raw;
  const filled = fillVariables({ url, file }, place, environment, problems);
  const fields = readFields(isObject(filled) ? filled : {}, place, problems);
  const connector = SQL_CONNECTORS.find((it) => it === raw.connector);
  if (connector === undefined) {
    problems.add(`${place}.connector`, `must be a database: ${SQL_CONNECTORS.join(', ')}`);
    return {
      name,
      connector: 'sqlite',
      address: '',
      written: null,
      tenancy: [],
      tenantColumn: null,
    };
  }
  return {
    name,
    connector,
    address: readAddress(fields, connector, directory),
    written: writtenOf(connector, raw),
    tenantColumn: typeof raw.tenant_column === 'string' ? raw.tenant_column : null,
    tenancy: ['tenant_column', 'tenants', 'controllers', 'tenancy']
      .filter((field) => raw[field] !== undefined && raw[field] !== null)
      .map((field) => `${field}: ${JSON.stringify(raw[field])}`),
  };
}

function writtenOf(connector: SqlConnector, { url, file }: Found['raw']): string | null {
  if (isFile(connector)) return `file: ${JSON.stringify(file)}`;
  // Everything except a variable may be a password.
  return typeof url === 'string' && /^\$\{\w+\}$/.test(url) ? `url: ${url}` : null;
}
