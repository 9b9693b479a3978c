import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { identity, requestBody } from '../../../../protocol/test/helpers/request-body.ts';
import { type EndpointServer, startEndpoint } from '../../connectors/http/endpoint-server.ts';
import { call, getToken, postJson } from '../../helpers/http/api.ts';
import { useInstallation } from '../use-installation.ts';

const installation = useInstallation();
const { unwrite, json, client, folder } = installation;
const ids = { open: randomUUID(), cancelled: randomUUID() };

let endpoint: EndpointServer;
let found: Record<string, number> | 'unmatched';

interface Asked {
  readonly action: string;
  readonly subjects: { ref: string; controller_id: string; identities: unknown[] }[];
}
const asked = (): Asked[] => endpoint.calls.map(({ body }) => JSON.parse(body) as Asked);

function configure(targets: Record<string, unknown>): void {
  writeFileSync(`${folder()}/unwrite.config.yaml`, stringify({ targets }));
}
const crm = (fields = {}) => ({
  connector: 'http',
  url: endpoint.url,
  allow_private: true,
  timeout: '2s',
  max_rows_per_subject: 5,
  ...fields,
});
const preview = (...args: string[]) =>
  unwrite('preview', '--controller', 'acme', '--email', 'jane@example.com', ...args);

beforeAll(async () => {
  endpoint = await startEndpoint(({ body }) => {
    const { subjects } = JSON.parse(body) as Asked;
    return {
      subjects: subjects.map(({ ref }) =>
        found === 'unmatched' ? { ref, unmatched: true } : { ref, found },
      ),
    };
  });
  const server = await installation.serve();
  const token = await getToken(await client('acme'));
  for (const id of Object.values(ids)) {
    const subject_identities = [identity('email', 'jane@example.com')];
    const body = requestBody({ subject_request_id: id, subject_identities });
    expect((await postJson(`${server.url}/requests`, body, token)).status).toBe(201);
  }
  await call(`${server.url}/requests/${ids.cancelled}`, { method: 'DELETE', token });
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.calls.length = 0;
  found = { orders: 2, letters: 1 };
});

describe('unwrite preview', () => {
  it('says target by target what would happen, and only asks', async () => {
    const paper = { connector: 'manual', instructions: 'Shred the folder in cabinet 3' };
    configure({ crm: crm(), paper, others: { connector: 'manual', controllers: ['globex'] } });
    const { exitCode, stdout } = await preview();
    expect(stdout).toBe(
      [
        'crm (http): would be erased',
        '  erase      orders   2 rows',
        '  erase      letters  1 row',
        'paper (manual): a person does it: Shred the folder in cabinet 3',
        'Nothing was changed.',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
    expect(asked()).toMatchObject([
      {
        action: 'preview',
        subjects: [
          { controller_id: 'acme', identities: [{ type: 'email', value: 'jane@example.com' }] },
        ],
      },
    ]);
  });

  it.each<[string, object, typeof found, RegExp]>([
    [
      'too many rows',
      {},
      { orders: 6 },
      /would be held: 6 rows match, .* is 5; .* \(over_cap\)\n.* 6 rows/,
    ],
    [
      'a target in preview mode',
      { mode: 'preview' },
      { orders: 1 },
      /would be held: .*\(preview_mode\)/,
    ],
    ['nobody there', {}, { orders: 0 }, /crm \(http\): not found here\nNothing was changed/],
    ['no usable identity', {}, 'unmatched', /would be held: .* \(no_usable_identity\)/],
    [
      'one that does not matter',
      { when_unmatched: 'skip' },
      'unmatched',
      /would be skipped: no usable/,
    ],
  ])('foresees %s', async (_, fields, answer, line) => {
    found = answer;
    configure({ crm: crm(fields) });
    const { exitCode, stdout } = await preview();
    expect(stdout).toMatch(line);
    expect(exitCode).toBe(0);
  });

  it('says that erasing is paused', async () => {
    configure({ crm: crm() });
    await unwrite('pause', '--target', 'crm');
    try {
      expect((await preview()).stdout).toMatch(
        /crm \(http\): would wait: erasing is paused; .* \(paused\)\n/,
      );
    } finally {
      await unwrite('resume', '--target', 'crm');
    }
  });

  it('exits with 1 if a target cannot be searched, and searches the others', async () => {
    configure({ away: crm({ url: 'http://127.0.0.1:9/' }), crm: crm() });
    const { exitCode, stdout } = await preview();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /away \(http\): cannot say: .*\(unreachable\)\ncrm \(http\): would be erased/,
    );
  });

  it('says that the controller has no target', async () => {
    configure({ crm: crm({ controllers: ['globex'] }) });
    expect((await preview()).stdout).toMatch(/^No target is configured for this controller/);
    expect(endpoint.calls).toEqual([]);
  });

  it('takes the identities of a request, and prints JSON for scripts', async () => {
    configure({ crm: crm() });
    expect(await json('preview', '--request', ids.open)).toEqual({
      controller_id: 'acme',
      subject_request_id: ids.open,
      identities_looked_up: 0,
      waits_for: [],
      targets: [
        {
          target: 'crm',
          connector: 'http',
          outcome: 'would_erase',
          reason: null,
          detail: null,
          rows: { orders: 2, letters: 1 },
          retained: {},
          detached: {},
          shared_kept: {},
        },
      ],
    });
    expect(asked()).toMatchObject([
      { subjects: [{ identities: [{ type: 'email', value: 'jane@example.com' }] }] },
    ]);
  });

  it('is in the audit log, without the person', async () => {
    configure({ crm: crm() });
    await unwrite('preview', '--request', ids.open, '--as', 'olga');
    const { history } = await json('request', 'show', ids.open);
    expect(history).toContainEqual(
      expect.objectContaining({ action: 'preview.run', actor: 'operator:olga' }),
    );
    expect(JSON.stringify(history)).not.toContain('jane');
  });

  it('never prints an identity', async () => {
    configure({ crm: crm(), away: crm({ url: 'http://127.0.0.1:9/' }) });
    for (const { stdout, stderr } of await Promise.all([preview(), preview('--json')])) {
      expect(stdout + stderr).not.toContain('jane');
    }
  });

  it.each<[string, string[], number, RegExp]>([
    ['nobody', ['--controller', 'acme'], 2, /name the person/],
    ['a person without controller', ['--email', 'a@b.example'], 2, /need --controller/],
    [
      'a request and a person',
      ['--request', ids.open, '--email', 'a@b.example'],
      2,
      /--request alone/,
    ],
    [
      'an unknown controller',
      ['--controller', 'nobody', '--email', 'a@b.example'],
      1,
      /no controller/,
    ],
    ['an unknown request', ['--request', randomUUID()], 1, /there is no request/],
    [
      'a cancelled request',
      ['--request', ids.cancelled],
      1,
      /the request has no identities: .* cancelled/,
    ],
  ])('refuses %s', async (_, args, code, message) => {
    configure({ crm: crm() });
    const { exitCode, stderr } = await unwrite('preview', ...args);
    expect(exitCode).toBe(code);
    expect(stderr).toMatch(message);
    expect(endpoint.calls).toEqual([]);
  });
});
