import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClientEvent, ErasureError } from '@unwrite/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import {
  type Connection,
  type ConnectionFlags,
  connect,
  connectionOf,
  withConnection,
} from '../connection/connect.ts';
import { CommandFailure, EXIT, usageFailure } from '../failure.ts';
import type { Io } from '../io.ts';
import { readMapping } from '../people/mapping.ts';
import { type Input, openFile, openStdin } from '../people/open-input.ts';
import { type PeopleFormat, readPeople } from '../people/read-people.ts';
import { checkPeople } from './check-people.ts';
import { openJournal } from './journal.ts';
import type { JournalHeader } from './journal-lines.ts';
import { lockJournal } from './lock.ts';
import { createProgress } from './progress.ts';
import { requireWritable, writeResults } from './results.ts';
import { submitAll } from './submit-all.ts';
import { createSummary } from './summary.ts';

interface Flags extends ConnectionFlags {
  readonly file: string;
  readonly format?: 'csv' | 'ndjson';
  readonly delimiter?: string;
  readonly map: readonly string[];
  readonly regulation?: string;
  readonly submittedTime?: string;
  readonly skipInvalid?: boolean;
  readonly journal?: string;
  readonly results?: string;
  readonly concurrency: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const GRACE_MS = 5000;

const AFTER = `
Run the same command again to carry on after a crash, an outage or Ctrl+C: nobody is submitted twice. The journal and
the results hold ids and outcomes, and nothing of the people.

Exit codes: 0 everybody is submitted, 1 some are not (see the results), 2 nothing was sent, 3 stopped before the end.`;

export function addSubmitCommand(program: Command, { io, end }: CommandContext): void {
  const submit = program
    .command('submit')
    .description('Submit an erasure request for each person of a file')
    .requiredOption(
      '--file <file>',
      'The people: CSV with a header, or NDJSON; - is standard input',
    )
    .addOption(
      new Option('--format <format>', 'Default: by the name of the file, otherwise csv').choices([
        'csv',
        'ndjson',
      ]),
    )
    .option(
      '--delimiter <character>',
      'Of CSV. Default: comma, semicolon or tab, as in the first line',
      readDelimiter,
    )
    .option(
      '--map <what=column>',
      'Which column is what, such as email=E-Mail; repeatable. Default: columns named after types of identities',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .addOption(
      new Option('--regulation <regulation>', 'For lines that name none').choices(['gdpr', 'ccpa']),
    )
    .option('--submitted-time <time>', 'For lines that name none: an RFC 3339 timestamp, or now')
    .option('--skip-invalid', 'Submit the other people if some lines cannot be sent')
    .option('--journal <file>', 'What was done. Default: <file>.journal')
    .option('--results <file>', 'How it ended, one line a person. Default: <file>.results.csv')
    .option('--concurrency <number>', 'Requests at the same time', readConcurrency, 8)
    .option('--json', 'Print the summary as JSON')
    .option('--quiet', 'No progress bar')
    .addHelpText('after', AFTER);
  withConnection(submit).action(async (flags: Flags) => {
    const connection = connectionOf(flags, io);
    const names = namesOf(flags, io);
    requireWritable(names.results, '--results');
    const unlock = lockJournal(names.journal);
    try {
      const input = flags.file === '-' ? await openStdin(io.stdin) : await openFile(names.file);
      end(await submitFile(flags, names, connection, input, io).finally(() => input.close()));
    } finally {
      unlock();
    }
  });
}

function readDelimiter(text: string): string {
  const character = text === '\\t' ? '\t' : text;
  if (/^[^"\r\n]$/u.test(character)) return character;
  throw new InvalidArgumentError('It must be one character other than a quote.');
}

function readConcurrency(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 256) return number;
  throw new InvalidArgumentError('It must be from 1 to 256.');
}

interface Names {
  readonly file: string;
  readonly journal: string;
  readonly results: string;
}

function namesOf({ file, journal, results }: Flags, io: Io): Names {
  if (file === '-' && journal === undefined) {
    throw usageFailure('with --file -, say where the journal is: --journal <file>');
  }
  const path = resolve(io.cwd, file);
  const base = file === '-' ? resolve(io.cwd, journal ?? '') : path;
  const names = {
    file: path,
    journal: resolve(io.cwd, journal ?? `${path}.journal`),
    results: resolve(io.cwd, results ?? `${base}.results.csv`),
  };
  if (new Set(Object.values(names).map(placeOf)).size === 3) return names;
  throw usageFailure('--file, --journal and --results must be different files; nothing was sent');
}

/** The same for all names of one file. */
function placeOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? path : `${found.dev} ${found.ino}`;
}

function formatOf(flags: Flags, submittedTime: string | undefined): PeopleFormat {
  const isNdjson = /\.(nd)?jsonl?$/i.test(flags.file);
  return {
    format: flags.format ?? (isNdjson ? 'ndjson' : 'csv'),
    delimiter: flags.delimiter,
    mapping: readMapping(flags.map),
    mapped: flags.map,
    regulation: flags.regulation,
    submittedTime,
  };
}

async function submitFile(
  flags: Flags,
  names: Names,
  connection: Connection,
  input: Input,
  io: Io,
) {
  const journal = await openJournal(names.journal, (found) =>
    headerOf(found, flags, connection, input, io),
  );
  try {
    const format = formatOf(flags, journal.header.submitted_time ?? undefined);
    const { total } = await checkPeople(input, format, flags.skipInvalid ?? false);
    const summary = createSummary(total);
    const progress = createProgress(io, total, 'Submitting', flags.quiet);
    const { stop, cut, stopListening } = listen(io);
    const show = (waiting?: string) => progress.show(summary.done(), summary.failed(), waiting);
    const onEvent = (event: ClientEvent) => {
      if (event.type === 'retry') show('waiting for the processor');
    };
    const client = connect(connection, io, { onEvent });
    const problem = await submitAll({
      people: readPeople(input.text(), format),
      journal,
      client,
      concurrency: flags.concurrency,
      stop,
      cut,
      onKnown() {
        summary.known();
        show();
      },
      onOutcome(_, outcome, error: ErasureError | undefined) {
        summary.add(outcome, error);
        show();
      },
    }).finally(() => {
      progress.end();
      stopListening();
    });
    await writeResults(names.results, journal);
    if (!(await input.isUnchanged())) {
      throw new CommandFailure(
        `${input.name} was changed while it was read; compare ${names.results} with it`,
      );
    }
    summary.print(io, { problem, results: names.results, isJson: flags.json ?? false });
    if (problem !== undefined) return EXIT.stopped;
    return summary.failed() > 0 ? EXIT.failed : EXIT.done;
  } finally {
    await journal.close();
  }
}

/** The first interruption sends no one else; the second, or five seconds, ends the calls that are under way. */
function listen(io: Io) {
  const stop = new AbortController();
  const cut = new AbortController();
  const stopListening = io.onInterrupt(() => {
    if (stop.signal.aborted) cut.abort();
    stop.abort('it was interrupted');
    io.wait(GRACE_MS, cut.signal).then(
      () => cut.abort(),
      () => undefined,
    );
  });
  return {
    stop: stop.signal,
    cut: cut.signal,
    stopListening() {
      stopListening();
      cut.abort();
    },
  };
}

async function headerOf(
  found: JournalHeader | undefined,
  flags: Flags,
  { baseUrl, account }: Connection,
  input: Input,
  io: Io,
): Promise<JournalHeader> {
  const salt = found?.salt ?? randomBytes(16).toString('hex');
  const isNow = flags.submittedTime === 'now';
  const time = isNow ? new Date(io.now()).toISOString() : (flags.submittedTime ?? null);
  const { mapping, format, delimiter, regulation } = formatOf(flags, undefined);
  const header: JournalHeader = {
    opendsr: 'journal',
    version: 1,
    salt,
    digest: await input.digest(salt),
    base_url: baseUrl,
    client_id: account,
    reading: JSON.stringify({ format, delimiter, mapping, regulation }),
    submitted_time: isNow && found !== undefined ? found.submitted_time : time,
  };
  if (found === undefined) return header;
  const differs = {
    digest: 'the file was changed since then',
    base_url: 'it was for another processor',
    client_id: 'it was for another client',
    reading: 'the file was read in another way (--format, --delimiter, --map, --regulation)',
    submitted_time: '--submitted-time was another',
    version: 'it is of another version',
  };
  for (const [member, problem] of Object.entries(differs)) {
    const name = member as keyof typeof differs;
    if (found[name] === header[name]) continue;
    throw usageFailure(
      `the journal does not fit: ${problem}. To carry on, run what was run then; to submit anew, name another journal with --journal`,
    );
  }
  return found;
}
