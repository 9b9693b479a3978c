import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ErasureClient, type ErasureClientOptions } from '@unwrite/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import {
  type ConnectionFlags,
  connect,
  connectionOf,
  withConnection,
} from '../connection/connect.ts';
import { EXIT, fileFailure, usageFailure } from '../failure.ts';
import type { Io } from '../io.ts';
import { requireWritable } from '../submit/results.ts';
import type { Check } from './check.ts';
import { CONTRACT_CHECKS } from './contract/checks.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { createKit, type Kit } from './kit.ts';
import { OPENDSR_CHECKS, OPENDSR_NOT_TESTED } from './opendsr/checks.ts';
import { jsonOf } from './report/json.ts';
import { junitOf } from './report/junit.ts';
import type { Report } from './report/report.ts';
import { tableOf } from './report/table.ts';
import { countsOf, runChecks } from './run-checks.ts';
import { loadCertificate } from './signing-certificate.ts';

const PROFILES: Record<string, { checks: readonly Check[]; notTested: Report['notTested'] }> = {
  contract: { checks: CONTRACT_CHECKS, notTested: [] },
  opendsr: { checks: OPENDSR_CHECKS, notTested: OPENDSR_NOT_TESTED },
};
const FORMATS = { table: tableOf, json: jsonOf, junit: junitOf };

interface Flags extends ConnectionFlags {
  readonly against: string;
  readonly format?: keyof typeof FORMATS;
  readonly output?: string;
  readonly root?: string;
  readonly deviations?: string;
  readonly only?: readonly string[];
  readonly list?: boolean;
}

const AFTER = `
Creates requests for people who do not exist (under .invalid), and cancels them at the end. One token request with a wrong
secret is made. A file of deviations is a JSON object: the id of a check, and the reason why the processor differs.

Exit codes: 0 every MUST is kept, apart from deviations; 1 one is not; 2 wrong options; 3 the processor did not answer.`;

export function addConformanceCommand(program: Command, { io, end }: CommandContext): void {
  const conformance = program
    .command('conformance')
    .description('Check whether a processor keeps the rules of OpenDSR, from outside')
    .addOption(
      new Option(
        '--against <text>',
        'contract: the Erasure Processor API; opendsr: OpenDSR 2.0 as published',
      )
        .choices(Object.keys(PROFILES))
        .default('contract'),
    )
    .addOption(new Option('--format <format>', 'Default: table').choices(Object.keys(FORMATS)))
    .option('--output <file>', 'Write the report to this file')
    .option('--root <file>', 'Trust this root (PEM) for the certificate of the processor')
    .option(
      '--deviations <file>',
      'Rules that the processor is known not to keep, with reasons (JSON)',
    )
    .option('--only <check...>', 'Look at these rules alone')
    .option('--list', 'Print the rules, and call nobody')
    .addHelpText('after', AFTER);
  withConnection(conformance).action(async (flags: Flags) => {
    const profile = profileOf(flags);
    if (flags.list) {
      for (const { id, level, clause, rule } of profile.checks)
        io.stdout.write(`${id}  ${level}  ${clause}  ${rule}\n`);
      return;
    }
    const deviations = readDeviations(flags, profile.checks, io);
    const output = flags.output === undefined ? undefined : resolve(io.cwd, flags.output);
    if (output !== undefined) requireWritable(output, '--output');
    const stop = new AbortController();
    const cut = new AbortController();
    const { kit, baseUrl } = openKit(flags, io, stop.signal);
    const startedTime = new Date(io.now()).toISOString();
    const isShown = io.stderr.columns !== undefined;
    let done = 0;
    // The first interruption ends the checks, the second one the cleaning up.
    const stopListening = io.onInterrupt(() => (stop.signal.aborted ? cut : stop).abort());
    const results = await runChecks(profile.checks, kit, deviations, stop.signal, () => {
      if (isShown) io.stderr.write(`\r${++done}/${profile.checks.length}\u001b[K`);
    });
    if (isShown) io.stderr.write('\r\u001b[K');
    const leftBehind = await kit.cleanUp(cut.signal);
    stopListening();
    const { notTested } = profile;
    const report = { baseUrl, profile: flags.against, startedTime, results, notTested, leftBehind };
    const text = FORMATS[flags.format ?? 'table'](report);
    if (output === undefined) io.stdout.write(text);
    else writeReport(output, text);
    const { must_broken, errors } = countsOf(results);
    if (must_broken > 0) end(EXIT.failed);
    else if (errors > 0) end(EXIT.stopped);
  });
}

function profileOf({ against, only }: Flags) {
  const { checks, notTested } = PROFILES[against] ?? { checks: [], notTested: [] };
  if (only === undefined) return { checks, notTested };
  const unknown = only.find((id) => !checks.some((check) => check.id === id));
  if (unknown !== undefined) throw usageFailure(`there is no check ${unknown}; see --list`);
  return { checks: checks.filter(({ id }) => only.includes(id)), notTested: [] };
}

function openKit(
  flags: Flags,
  io: Io,
  signal: AbortSignal,
): { readonly kit: Kit; readonly baseUrl: string } {
  const connection = connectionOf(flags, io);
  const { baseUrl, options } = connection;
  const roots = flags.root === undefined ? undefined : [readText(resolve(io.cwd, flags.root))];
  const kit = createKit({
    client: connect(connection, io, { maxDelayMs: 120_000 }),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    requestsPath: options.requestsPath ?? '/requests',
    signal,
    now: io.now,
    wait: io.wait,
    token: tokenCalls(options),
    loadCertificate: (discovery) => loadCertificate(discovery, roots, io.now),
  });
  return { kit, baseUrl };
}

/** Calls of the token endpoint: it may be anywhere, so it has a client of its own. */
function tokenCalls(
  options: ErasureClientOptions,
): ((changes: Readonly<Record<string, unknown>>) => Promise<Exchange>) | undefined {
  if (!('clientSecret' in options)) return undefined;
  const { tokenUrl, clientId, clientSecret, audience } = options;
  const { origin, pathname } = new URL(tokenUrl);
  const client = new ErasureClient({
    baseUrl: origin,
    authorization: () => '',
    allowHttp: options.allowHttp ?? false,
  });
  return async (changes) => {
    const body = {
      client_id: clientId,
      client_secret: clientSecret,
      audience,
      grant_type: 'client_credentials',
      ...changes,
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await client.send({
      method: 'POST',
      path: pathname,
      headers,
      body: JSON.stringify(body),
      authorize: false,
    });
    const shown = JSON.stringify({ ...body, client_secret: '[secret]' });
    return exchangeOf({ method: 'POST', path: pathname, headers, body: shown }, answer);
  };
}

function readDeviations(
  { deviations: file }: Flags,
  checks: readonly Check[],
  io: Io,
): Record<string, string> {
  if (file === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(readText(resolve(io.cwd, file)));
  } catch (error) {
    if (error instanceof SyntaxError) throw usageFailure(`${file} is not valid JSON`);
    throw error;
  }
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  for (const [id, reason] of entries) {
    if (!checks.some((check) => check.id === id)) {
      throw usageFailure(`${file} names a check that there is not: ${id}; see --list`);
    }
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw usageFailure(`${file} gives no reason for ${id}`);
    }
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw fileFailure(path, error, 'be written');
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fileFailure(path, error);
  }
}
