import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startServerProcess } from '../../helpers/servers/server-process.ts';
import { useInstallation } from '../use-installation.ts';

const { json, options } = useInstallation();
/** It gets ready before it has printed what it made. */
const PATIENCE = { timeout: 15_000 };
const canPaste = spawnSync('sh', ['-c', 'command -v curl']).status === 0;

describe('unwrite serve --demo', () => {
  it('makes a controller on an empty store and prints lines that work as they are', async () => {
    const server = await startServerProcess({ ...options(), flags: ['--demo'] });
    try {
      await expect.poll(server.output, PATIENCE).toContain('API docs:');
      expect(await json('controller', 'list')).toMatchObject([{ controller_id: 'demo' }]);
      if (!canPaste) return;
      const lines = server
        .output()
        .split('\n')
        .filter((line) => /^(TOKEN=|curl )/.test(line));
      expect(lines).toHaveLength(5);
      const pasted = spawnSync('sh', ['-c', lines.join('\necho\n')], { encoding: 'utf8' });
      const [, discovery, created, status, cancelled] = pasted.stdout.split('\n');
      expect(JSON.parse(discovery ?? '')).toHaveProperty('api_version');
      expect(JSON.parse(created ?? '')).toHaveProperty('encoded_request');
      expect(JSON.parse(status ?? '')).toMatchObject({ request_status: 'pending' });
      expect(JSON.parse(cancelled ?? '')).toHaveProperty('received_time');
    } finally {
      await server.kill('SIGKILL');
    }
  });

  it('creates nothing and shows no credentials if the store is not empty', async () => {
    const server = await startServerProcess({ ...options(), flags: ['--demo'] });
    try {
      await expect.poll(server.output, PATIENCE).toContain('API docs:');
      expect(server.output()).not.toContain('client_secret');
      expect(await json('client', 'list')).toHaveLength(1);
    } finally {
      await server.kill('SIGKILL');
    }
  });
});
