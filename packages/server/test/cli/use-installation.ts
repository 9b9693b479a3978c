// An installation of its own for a test file, and the command line on it.
import { afterAll, beforeAll } from 'vitest';
import type { Credentials } from '../helpers/api.ts';
import { freePort } from '../helpers/free-port.ts';
import { runBeside } from '../helpers/run-beside.ts';
import {
  type CommandResult,
  type ServerProcess,
  startServerProcess,
} from '../helpers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

export function useInstallation() {
  let folder: TemporaryFolder;
  let port: number;
  const servers: ServerProcess[] = [];

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    port = await freePort();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
    folder.remove();
  });

  const options = () => ({ dataDir: `${folder.path}/data`, port });

  function unwrite(...args: string[]): Promise<CommandResult> {
    return runBeside(args, { ...options(), cwd: folder.path });
  }

  /** The same, with something to read from standard input. */
  function unwriteReading(input: string, ...args: string[]): Promise<CommandResult> {
    return runBeside(args, { ...options(), cwd: folder.path, input });
  }

  /** What a command that must succeed printed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: output is looked into freely by tests
  async function json(...args: string[]): Promise<any> {
    const { exitCode, stdout, stderr } = await unwrite(...args, '--json');
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  }

  return {
    /** Where commands run, and the configuration file is looked for. */
    folder: () => folder.path,
    options,
    unwrite,
    unwriteReading,
    json,
    client: (controllerId: string): Promise<Credentials> =>
      json('client', 'create', '--controller', controllerId),
    async serve(...flags: string[]): Promise<ServerProcess> {
      const server = await startServerProcess({ ...options(), flags });
      servers.push(server);
      return server;
    },
  };
}
