// The `targets` setting: the operator's systems by name.

import { didYouMean } from '../../domain/did-you-mean.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { BadValues, type Kind, type ReadContext } from '../setting.ts';
import type { Undigested } from './common-fields.ts';
import { digestOf, planDigestOf } from './digest.ts';
import { createProblems, type Fields, type Problems, readFields } from './fields.ts';
import { fillVariables } from './fill-variables.ts';
import { withLookedUpFrom } from './internal-types.ts';
import { withLookupsOfOthers, withOverwritesOfOthers } from './lookups-of-others.ts';
import { readHttpTarget } from './read-http-target.ts';
import { readManualTarget } from './read-manual-target.ts';
import { readModuleTarget } from './read-module-target.ts';
import { readOpendsrTarget } from './read-opendsr-target.ts';
import { readS3Target } from './read-s3-target.ts';
import { readRestTarget } from './rest/read-rest-target.ts';
import { withRowsLostToOthers, withTablesOfOthers } from './rows-lost-to-others.ts';
import { refuseUnknownInAfter, withRunOrder } from './run-order.ts';
import { readSqlTarget } from './sql/read-sql-target.ts';
import {
  CONNECTORS,
  type ConnectorName,
  namesFor,
  TARGET_NAME,
  targetsSchema,
} from './targets-schema.ts';

export const targets: Kind<readonly TargetConfig[]> = {
  schema: targetsSchema,
  write: (list) => list.map(({ name, connector }) => `${name} (${connector})`).join(', ') || 'none',
  read(raw, around) {
    const problems = createProblems();
    const { values } = readFields(raw, 'targets', problems);
    const names = Object.keys(values);
    const read = names.map((name) =>
      readTarget(name, values[name], { ...around, names }, problems),
    );
    if (problems.list.length > 0) throw new BadValues(problems.list);
    const known = read.filter((target) => target !== undefined);
    const looked = withLookedUpFrom(known, problems);
    const ordered = withRunOrder(withLookupsOfOthers(withOverwritesOfOthers(looked)), problems);
    if (problems.list.length > 0) throw new BadValues(problems.list);
    return withTablesOfOthers(withRowsLostToOthers(ordered));
  },
};

function readTarget(
  name: string,
  raw: unknown,
  { environment, directory, names }: ReadContext & { readonly names: readonly string[] },
  problems: Problems,
): TargetConfig | undefined {
  const place = `targets.${name}`;
  const before = problems.list.length;
  if (!new RegExp(TARGET_NAME).test(name)) {
    problems.add(
      place,
      'the name must have 1 to 64 characters: lower-case letters, digits, "-" and "_", and begin with a letter or digit',
    );
  }
  const fields = readFields(fillVariables(raw, place, environment, problems), place, problems);
  refuseUnknownInAfter(name, fields, names);
  const connector = readConnector(fields);
  if (connector === undefined) {
    refuseMisspelt(fields);
    return undefined;
  }
  refuseDraft(fields);
  refuseUnknown(fields, connector);
  const target = readAs(connector, name, fields, directory);
  if (problems.list.length > before) return undefined;
  return { ...target, digest: digestOf(target), planDigest: planDigestOf(target) };
}

function readConnector(target: Fields): ConnectorName | undefined {
  const given = target.values.connector;
  const connector = CONNECTORS.find((candidate) => candidate === given);
  if (connector === undefined) {
    const near = typeof given === 'string' ? didYouMean(given, CONNECTORS) : '';
    target.problem('connector', `must be one of: ${CONNECTORS.join(', ')}${near}`);
  }
  return connector;
}

const DRAFT = 'draft';

/** A plan printed by "unwrite target suggest" must be read before it is used. */
function refuseDraft(target: Fields): void {
  if (!Object.hasOwn(target.values, DRAFT)) return;
  target.problem(
    DRAFT,
    'this plan is a draft: read each line, decide what is marked with "?", then remove the line "draft"',
  );
}

/** For a target without a known connector: refuses names that no connector has, such as "conector". */
function refuseMisspelt(target: Fields): void {
  const names = [...new Set(CONNECTORS.flatMap(namesFor))];
  for (const name of Object.keys(target.values))
    if (!names.includes(name) && name !== DRAFT)
      target.problem(name, `is not a setting${didYouMean(name, names)}`);
}

function refuseUnknown(target: Fields, connector: ConnectorName): void {
  const names = namesFor(connector);
  const elsewhere = CONNECTORS.flatMap(namesFor);
  for (const name of Object.keys(target.values).filter(
    (it) => !names.includes(it) && it !== DRAFT,
  )) {
    target.problem(
      name,
      elsewhere.includes(name)
        ? `is not for the connector ${connector}; leave it out`
        : `is not a setting${didYouMean(name, names)}`,
    );
  }
}

function readAs(
  connector: ConnectorName,
  name: string,
  fields: Fields,
  directory: string,
): Undigested<TargetConfig> {
  switch (connector) {
    case 'http':
      return readHttpTarget(name, fields);
    case 'manual':
      return readManualTarget(name, fields);
    case 'opendsr':
      return readOpendsrTarget(name, fields, directory);
    case 'module':
      return readModuleTarget(name, fields, directory);
    case 'rest':
      return readRestTarget(name, fields, directory);
    case 's3':
      return readS3Target(name, fields);
    default:
      return readSqlTarget(name, connector, fields, directory);
  }
}
