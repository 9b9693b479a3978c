import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { startServerHere } from '../../helpers/servers/server-here.ts';
import { useInstallation } from '../use-installation.ts';

const { json, options } = useInstallation();
/** It gets ready before it has printed what it made. */
const PATIENCE = { timeout: 15_000 };
const canPaste = spawnSync('sh', ['-c', 'command -v curl']).status === 0;

/** Passes what it has printed by then. */
async function withDemo(work: (printed: string) => Promise<void>): Promise<void> {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += chunk;
    return true;
  });
  const server = await startServerHere(options(), { demo: true });
  try {
    await expect.poll(() => printed, PATIENCE).toContain('API docs:');
    write.mockRestore();
    await work(printed);
  } finally {
    write.mockRestore();
    await server.kill('SIGTERM');
  }
}

describe('unwrite serve --demo', () => {
  it('makes a controller on an empty store and prints lines that work as they are', () =>
    withDemo(async (printed) => {
      expect(await json('controller', 'list')).toMatchObject([{ controller_id: 'demo' }]);
      if (!canPaste) return;
      const lines = printed.split('\n').filter((line) => /^(TOKEN=|curl )/.test(line));
      expect(lines).toHaveLength(5);
      // The server is in this process: it must be able to answer meanwhile.
      const pasted = await text(spawn('sh', ['-c', lines.join('\necho\n')]).stdout);
      const [, discovery, created, status, cancelled] = pasted.split('\n');
      expect(JSON.parse(discovery ?? '')).toHaveProperty('api_version');
      expect(JSON.parse(created ?? '')).toHaveProperty('encoded_request');
      expect(JSON.parse(status ?? '')).toMatchObject({ request_status: 'pending' });
      expect(JSON.parse(cancelled ?? '')).toHaveProperty('received_time');
    }));

  it('creates nothing and shows no credentials if the store is not empty', () =>
    withDemo(async (printed) => {
      expect(printed).not.toContain('client_secret');
      expect(await json('client', 'list')).toHaveLength(1);
    }));
});
