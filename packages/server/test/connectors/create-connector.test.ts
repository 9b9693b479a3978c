import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createConnector } from '../../src/connectors/create-connector.ts';
import { httpTarget } from './http/endpoint-server.ts';

describe('making a connector', () => {
  it('throws for a manual target, which no worker leases', async () => {
    const { url: _, ...common } = httpTarget('https://crm.example/');
    const manual = { ...common, connector: 'manual', instructions: null } as const;

    await expect(
      createConnector(manual, { hash: String, domain: 'erase.example' }),
    ).rejects.toThrow('manual target');
  });

  it('loads neither HTTP nor a driver before they are needed', () => {
    const source = import.meta.resolve('../../src/connectors/create-connector.ts');
    const target = JSON.stringify(httpTarget('https://crm.example/'));
    const program = `import { createConnector } from ${JSON.stringify(source)};
      await createConnector(${target}, { hash: String, domain: 'erase.example' });
      const loaded = process.moduleLoadList.filter((name) => /NativeModule (_http_client|https)$/.test(name));
      console.log(JSON.stringify(loaded));`;

    const result = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });

    expect(result.stdout.trim()).toBe('[]');
  });
});
