// The page about the operator API lists every call with its role, as the OpenAPI document has it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../helpers/http/api.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';
import { ROOT } from './command-blocks.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Described in docs/operators.md. */
const ELSEWHERE = ['Sign-in', 'Operator clients'];

it('docs/operator-api.md has every call, its role and what it does', async () => {
  const { body } = await call(`${service.url}/operator/openapi.json`);
  type Route = { tags: string[]; description: string; summary: string };
  const paths = Object.entries(body.paths as Record<string, Record<string, Route>>);
  const expected = paths.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !ELSEWHERE.includes(String(tags[0])))
      .map(([method, { description, summary }]) => {
        const [, role] = /^Role: (\w+)\./.exec(description) ?? [];
        const name = `${method.toUpperCase()} ${path.replace('/operator/v1', '')}`;
        return `| \`${name}\` | ${role} | ${summary} |`;
      }),
  );
  expect(expected.length).toBeGreaterThan(50);
  const page = readFileSync(join(ROOT, 'docs/operator-api.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `(GET|POST|PATCH|PUT|DELETE) /.test(line));
  expect(rows.toSorted()).toEqual(expected.toSorted());
});
