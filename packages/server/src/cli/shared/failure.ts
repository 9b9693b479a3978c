// How a command fails: a message for people, an exit code for scripts.
import { CommanderError } from 'commander';
import { ProvisionProblem } from '../../auth/provision.ts';
import { CertificateProblem } from '../../certificate/certificate-problem.ts';
import { ConfigError, EXIT_CONFIG } from '../../config/config.ts';
import { isToPutBack } from '../../domain/keys/missing-secret.ts';
import { asTyped } from '../../domain/own-command.ts';
import { StoreOfAnotherKind } from '../../domain/store/sandbox.ts';
import { isOfPostgres, StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { visibleLines } from '../../domain/visible-text.ts';
import { TlsProblem } from '../../http/tls-problem.ts';
import { InvalidInput, NotFound } from '../../operator/failures.ts';
import { MigrationMismatch } from '../../store/migrations.ts';
import { MasterKeyProblem } from '../../vault/load-keys.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_FAILURE) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The problem has already been printed; only the exit code is left. */
export class ReportedFailure extends Error {
  override readonly name = 'ReportedFailure';
}

export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, EXIT_USAGE);
}

/** Writes the problem to standard error and returns the exit code. */
export function reportFailure(error: unknown, asJson: boolean): number {
  if (error instanceof CommanderError) {
    // Help and version are not failures, and commander has already printed its messages.
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
  if (error instanceof ReportedFailure) return EXIT_FAILURE;
  const { message, problems, exitCode } = describe(error);
  if (asJson) {
    const shape = { error: { message, ...(problems.length > 0 && { problems }) } };
    process.stderr.write(`${asTyped(visibleLines(JSON.stringify(shape)))}\n`);
  } else {
    const lines = problems.map((one) => `  - ${one.replaceAll('\n', '\n    ')}\n`).join('');
    process.stderr.write(asTyped(visibleLines(`unwrite: ${message}\n${lines}`)));
  }
  return exitCode;
}

interface Described {
  readonly message: string;
  readonly problems: readonly string[];
  readonly exitCode: number;
}

function describe(error: unknown): Described {
  if (error instanceof ConfigError) {
    return { message: error.message, problems: error.problems, exitCode: EXIT_CONFIG };
  }
  const isOfSettings =
    isToPutBack(error) ||
    [MasterKeyProblem, MigrationMismatch, TlsProblem, CertificateProblem, StoreOfAnotherKind].some(
      (it) => error instanceof it,
    );
  if (error instanceof Error && isOfSettings) {
    return { message: error.message, problems: [], exitCode: EXIT_CONFIG };
  }
  if (error instanceof CommandFailure) {
    return { message: error.message, problems: [], exitCode: error.exitCode };
  }
  if (error instanceof InvalidInput) {
    const message = `${optionFor(error.field)} ${error.problem}`;
    return { message, problems: [], exitCode: EXIT_USAGE };
  }
  const isRefused = [ProvisionProblem, NotPossible, NotFound].some((it) => error instanceof it);
  if (error instanceof Error && isRefused) {
    return { message: error.message, problems: [], exitCode: EXIT_FAILURE };
  }
  if (error instanceof StoreUnavailable) {
    const message = `${error.message}; check whether the change was made before you run this again`;
    return { message, problems: [], exitCode: EXIT_FAILURE };
  }
  if (isOfPostgres(error)) {
    const message = `the store answered with the error ${error.code}; the log of its server says more\n${framesOf(error)}`;
    return { message, problems: [], exitCode: EXIT_FAILURE };
  }
  const { code, message } = error as NodeJS.ErrnoException;
  const isSystem = typeof code === 'string' && /^(E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code);
  return {
    message: isSystem ? message : ((error as Error).stack ?? String(error)),
    problems: [],
    exitCode: EXIT_FAILURE,
  };
}

/** Use cases name fields, but a person at a terminal has given options. */
function optionFor(field: string): string {
  return field === 'actor' ? '--as' : `--${field.replaceAll('_', '-')}`;
}

/** The stack without the error's message. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}
