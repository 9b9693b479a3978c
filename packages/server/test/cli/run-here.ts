// A command in this process: a tenth of the time, for the many that are refused before they do anything.
import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/program.ts';
import type { CommandResult } from '../helpers/server-process.ts';

export async function runHere(args: readonly string[]): Promise<CommandResult> {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const written = (spy: typeof stdout) => spy.mock.calls.map(([text]) => String(text)).join('');
  try {
    const exitCode = await runCommandLine(['node', 'unwrite', ...args]);
    return { exitCode, stdout: written(stdout), stderr: written(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}
