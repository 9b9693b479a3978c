import { describe, expect, it } from 'vitest';
import { useInstallation } from '../use-installation.ts';

const { json, unwrite, client, serve } = useInstallation('sqlite');

describe('unwrite store compact', () => {
  it('rewrites the file next to a running server', async () => {
    expect((await unwrite('store', 'compact')).stderr).toContain('there is no store in');
    await client('acme');
    await serve();
    expect(await json('store', 'compact')).toEqual({
      bytes_before: expect.any(Number),
      bytes_after: expect.any(Number),
    });
    expect(await json('client', 'list')).toHaveLength(1);
    const elsewhere = await unwrite('store', 'compact', '--store', 'postgres://x@127.0.0.1:1/y');
    expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([2, expect.stringContaining('VACUUM')]);
  });
});
