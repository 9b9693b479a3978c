import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { postJson } from '../../helpers/http/api.ts';
import { requestBody } from '../../helpers/http/request-body.ts';
import { startService } from '../../helpers/servers/service.ts';

const MEBIBYTE = 1_048_576;

it('the write-ahead log stays short under a long load', async () => {
  const service = await startService();
  const token = await service.token();
  for (let round = 0; round < 60; round++) {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => postJson(`${service.url}/requests`, requestBody(), token)),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
  }
  const { size } = statSync(join(service.dataDir, 'unwrite.db-wal'));
  await service.close();
  expect(size).toBeLessThan(48 * MEBIBYTE);
}, 120_000);
