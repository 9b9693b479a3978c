import { sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../protocol/test/helpers/make-certificate.ts';
import { startService, type TestService } from '../../../server/test/helpers/servers/service.ts';
import { makeTemporaryFolder } from '../../../server/test/helpers/temporary-folder.ts';
import { CONTRACT_CHECKS } from '../../src/conformance/contract/checks.ts';
import { OPENDSR_CHECKS } from '../../src/conformance/opendsr/checks.ts';
import {
  type Fault,
  json,
  type MemoryProcessor,
  type Reply,
  refusal,
  signedReply,
  startMemoryProcessor,
} from '../helpers/processor.ts';
import { opendsr } from '../helpers/run.ts';
import { CONTRACT_FAULTS, OPENDSR_FAULTS } from './faults.ts';

const folder = makeTemporaryFolder();
const root = makeCertificate({ commonName: 'Root', isAuthority: true });
const leaf = makeCertificate({ names: ['localhost'], keyUsage: 0x80 }, root);
writeFileSync(join(folder.path, 'root.pem'), root.pem);
let processor: MemoryProcessor;
beforeAll(async () => {
  processor = await startMemoryProcessor();
});
afterAll(async () => {
  await processor.close();
  folder.remove();
});
afterEach(() => {
  Object.assign(processor, { fault: undefined, sign: undefined, certificate: undefined });
  processor.requests.clear();
  processor.calls.length = 0;
});

interface Reported {
  readonly id: string;
  readonly outcome: string;
  readonly level: string;
  readonly problem?: string;
}

async function conformance(
  args: readonly string[],
  env: Record<string, string> = processor.environment,
) {
  const all = ['conformance', '--format', 'json', ...args];
  const { exitCode, stdout, stderr } = await opendsr(all, { cwd: folder.path, env });
  expect(stderr).toBe('');
  const report: { checks: Reported[]; counts: Record<string, number>; left_behind: string[] } =
    JSON.parse(stdout);
  const outcomes = (outcome: string) =>
    report.checks.filter((it) => it.outcome === outcome).map(({ id }) => id);
  return { exitCode, report, broken: outcomes('broken'), skipped: outcomes('not_applicable') };
}

/** What a processor does that follows OpenDSR to the letter: it signs, even in bodies, and every error is 400. */
function follow(fault?: Fault): void {
  const signBytes = (bytes: Buffer) => sign('sha256', bytes, leaf.key).toString('base64');
  processor.sign = signBytes;
  processor.certificate = leaf.pem;
  const asWritten: Fault = (_, reply) => {
    if (reply.status === 409)
      return { ...reply, status: 400, body: reply.body.replace('409', '400') };
    if (!reply.body.includes('not-yet-implemented')) return reply;
    return signedReply(processor, {
      ...reply,
      body: reply.body.replace('not-yet-implemented', 'AAAA'),
    });
  };
  processor.fault = async (call, reply) => {
    const right = (await asWritten(call, reply)) as Reply;
    return fault === undefined ? right : fault(call, right);
  };
}
const OPENDSR = ['--against', 'opendsr', '--root', 'root.pem'];

describe('the kit, against our contract', () => {
  it('finds nothing at a processor that keeps it', async () => {
    const { exitCode, broken, skipped, report } = await conformance([]);
    expect([exitCode, broken, skipped]).toEqual([0, [], []]);
    expect(report.checks).toHaveLength(CONTRACT_CHECKS.length);
  });

  it.each(CONTRACT_CHECKS.map(({ id }) => id))('finds what %s is about', async (id) => {
    const fault = CONTRACT_FAULTS[id];
    if (fault === undefined) throw new Error(`there is no broken processor for ${id}`);
    processor.fault = fault;
    const { broken, exitCode } = await conformance(['--only', id]);
    expect(broken).toEqual([id]);
    const isMust = CONTRACT_CHECKS.find((check) => check.id === id)?.level === 'MUST';
    expect(exitCode === 1 || !isMust).toBe(true);
  });

  it('has no broken processor without a check', () => {
    const ids = CONTRACT_CHECKS.map(({ id }) => id).sort();
    expect(Object.keys(CONTRACT_FAULTS).sort()).toEqual(ids);
  });
});

describe('the kit, against OpenDSR as published', () => {
  it('finds nothing at a processor that follows it', async () => {
    follow();
    const { exitCode, broken, skipped } = await conformance(OPENDSR);
    expect([exitCode, broken, skipped]).toEqual([0, [], []]);
  });

  const OTHERS = [
    'opendsr.version_in_url',
    'opendsr.certificate.self_signed',
    'opendsr.certificate.trusted',
  ];
  const IDS = OPENDSR_CHECKS.map(({ id }) => id);

  it.each(IDS.filter((id) => !OTHERS.includes(id)))('finds what %s is about', async (id) => {
    const fault = OPENDSR_FAULTS[id] ?? CONTRACT_FAULTS[id.replace('opendsr', 'contract')];
    if (fault === undefined) throw new Error(`there is no broken processor for ${id}`);
    follow(fault);
    const { broken } = await conformance([...OPENDSR, '--only', id]);
    expect(broken).toEqual([id]);
  });

  it('finds an address without a version', async () => {
    follow();
    const url = processor.url.replace('/v2', '');
    const { broken } = await conformance([...OPENDSR, '--base-url', url]);
    expect(broken).toEqual(['opendsr.version_in_url']);
  });

  it.each([
    ['that signed itself', () => makeCertificate({ names: ['localhost'] }), OTHERS.slice(1)],
    ['of another domain', () => makeCertificate({ names: ['other.test'] }, root), OTHERS.slice(2)],
    [
      'that has expired',
      () => makeCertificate({ names: ['localhost'], from: 0, to: 1 }, root),
      OTHERS.slice(2),
    ],
  ])('finds a certificate %s', async (_, make, expected) => {
    follow();
    processor.certificate = make().pem;
    expect((await conformance(OPENDSR)).broken).toEqual(expected);
  });

  it('has no broken processor without a check', () => {
    expect(Object.keys(OPENDSR_FAULTS).filter((id) => !IDS.includes(id))).toEqual([]);
  });
});

describe('our own server', () => {
  let service: TestService;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startService({ publicUrl: 'http://localhost:8080' });
    const { client_id, client_secret, audience } = await service.client('acme');
    env = {
      OPENDSR_BASE_URL: `${service.url.replace('127.0.0.1', 'localhost')}/v2`,
      OPENDSR_TOKEN_URL: `${service.url}/oauth/token`,
      OPENDSR_CLIENT_ID: client_id,
      OPENDSR_CLIENT_SECRET: client_secret,
      OPENDSR_AUDIENCE: audience,
    };
  });
  afterAll(() => service.close());

  it('keeps our contract, and no request is left behind', async () => {
    const { exitCode, broken, skipped, report } = await conformance([], env);
    expect([exitCode, broken, skipped]).toEqual([0, [], []]);
    expect(report.left_behind).toEqual([]);
  });

  it('follows OpenDSR as published, apart from what docs/opendsr-deviations.json declares and from signatures', async () => {
    const deviations = fileURLToPath(
      new URL('../../../../docs/opendsr-deviations.json', import.meta.url),
    );
    const { report, broken, skipped } = await conformance(
      [...OPENDSR, '--deviations', deviations],
      env,
    );
    // There is no certificate here.
    expect(broken).toEqual(['opendsr.discovery.certificate']);
    expect(skipped).toEqual(
      OPENDSR_CHECKS.map(({ id }) => id).filter((id) => /\.signature$|\.certificate\./.test(id)),
    );
    expect(
      report.checks
        .filter((it) => it.outcome === 'deviation')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Object.keys(JSON.parse(readFileSync(deviations, 'utf8'))).sort());
  });
});

describe('a report', () => {
  const broken =
    (status = 202): Fault =>
    (_, reply) =>
      reply.status === 201 ? { ...reply, status } : reply;

  it('explains on a terminal what was sent, what came back, and which rule says otherwise', async () => {
    processor.fault = broken();
    const { exitCode, stdout } = await opendsr(['conformance'], {
      cwd: folder.path,
      env: processor.environment,
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^ FAIL {2}MUST {3}Contract 4\.2 +answers a valid create with 201$/m);
    expect(stdout).toContain('contract.create.status (Contract 4.2): expected 201, got 202');
    expect(stdout).toMatch(
      /^ {2}> POST \/requests\n {2}> content-type: application\/json\n {2}> \{\n {2}> {2}"regulation": "gdpr"/m,
    );
    expect(stdout).toMatch(/^ {2}< 202\n/m);
    expect(stdout).not.toMatch(/token-|right/);
  });

  it('is JUnit for build servers', async () => {
    processor.fault = broken();
    const args = ['conformance', '--format', 'junit', '--output', 'report.xml'];
    await opendsr(args, { cwd: folder.path, env: processor.environment });
    const xml = readFileSync(join(folder.path, 'report.xml'), 'utf8');
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="\d+" failures="[1-9]/,
    );
    expect(xml).toContain('<failure message="expected 201, got 202">');
    expect(xml.match(/<testcase /g)).toHaveLength(CONTRACT_CHECKS.length);
  });

  it('has deviations apart, with their reasons', async () => {
    processor.fault = broken();
    const file = join(folder.path, 'deviations.json');
    const first = await conformance([]);
    const reasons = Object.fromEntries(first.broken.map((id) => [id, 'agreed with our customers']));
    writeFileSync(file, JSON.stringify(reasons));
    const { exitCode, report } = await conformance(['--deviations', file]);
    expect([exitCode, report.counts.deviations]).toEqual([0, first.broken.length]);
    writeFileSync(file, '{"contract.nothing": "x"}');
    const wrong = await opendsr(['conformance', '--deviations', file], {
      cwd: folder.path,
      env: processor.environment,
    });
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('contract.nothing'),
    ]);
  });

  it('says so where the processor does not answer', async () => {
    processor.fault = (call, reply) => (call.path.startsWith('/requests') ? undefined : reply);
    const { exitCode, report } = await conformance([]);
    expect(exitCode).toBe(3);
    expect(report.counts.errors).toBeGreaterThan(10);
  });

  it('lists the rules without calling anybody', async () => {
    const { stdout, exitCode } = await opendsr(['conformance', '--list', '--against', 'opendsr'], {
      cwd: folder.path,
    });
    expect([exitCode, stdout.trimEnd().split('\n').length]).toEqual([0, OPENDSR_CHECKS.length]);
  });
});

describe('what the kit sends', () => {
  it('names nobody but people under .invalid, and is cancelled at the end', async () => {
    await conformance([]);
    const values = processor.calls.flatMap(
      ({ body }) =>
        ((body?.subject_identities ?? []) as { identity_value?: unknown }[]).flatMap?.(
          ({ identity_value: value }) => (typeof value === 'string' ? [value] : []),
        ) ?? [],
    );
    expect(values.length).toBeGreaterThan(20);
    for (const value of values)
      expect(value).toMatch(/^conformance-[0-9a-f-]{36}(@opendsr)?\.invalid$/);
    const states = [...processor.requests.values()].map(({ status }) => status);
    expect(new Set(states)).toEqual(new Set(['cancelled']));
  });

  it('goes to where the requests of this processor are', async () => {
    const { report } = await conformance([
      '--requests-path',
      '/dsr',
      '--only',
      'contract.create.status',
    ]);
    expect(report.checks[0]?.problem).toBe('expected 201, got 404');
    expect(processor.calls.map(({ path }) => path)).toContain('/dsr');
  });

  it.each([
    ['cannot be cancelled', 500],
    ['gets no answer any more', undefined],
  ])('is left behind, and named, where it %s', async (_, status) => {
    processor.fault = (call, reply) =>
      call.method !== 'DELETE' ? reply : status === 500 ? { ...reply, status } : undefined;
    const { report } = await conformance([]);
    expect(report.left_behind.length).toBeGreaterThan(3);
  });

  it('is cancelled when the run is interrupted', async () => {
    let interrupt: () => void = () => undefined;
    processor.fault = (call, reply) => {
      if (call.method === 'POST' && call.path === '/requests' && reply.status === 201) interrupt();
      return reply;
    };
    const onInterrupt = (listener: () => void) => {
      interrupt = listener;
      return () => undefined;
    };
    const options = { cwd: folder.path, env: processor.environment, io: { onInterrupt } };
    const { exitCode } = await opendsr(['conformance'], options);
    expect(exitCode).toBe(3);
    expect([...processor.requests.values()].map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('is cancelled when the run is interrupted while an answer is waited for, which a second one ends', async () => {
    let interrupt: () => void = () => undefined;
    let hanging = 0;
    processor.fault = (call, reply) => {
      if (call.path === '/oauth/token' || processor.requests.size < 3) return reply;
      hanging++;
      interrupt();
      return new Promise(() => undefined);
    };
    const onInterrupt = (listener: () => void) => {
      interrupt = listener;
      return () => undefined;
    };
    const options = { cwd: folder.path, env: processor.environment, io: { onInterrupt } };
    const { exitCode, stdout } = await opendsr(['conformance', '--format', 'json'], options);
    const { checks, left_behind } = JSON.parse(stdout);
    expect([exitCode, hanging, checks.length]).toEqual([3, 2, CONTRACT_CHECKS.length]);
    expect(left_behind).toEqual([...processor.requests.keys()]);
  });

  it('waits for a processor that answers 429, and takes it for no fault', async () => {
    let calls = 0;
    processor.fault = (call, reply) => {
      const isLetThrough = call.path === '/oauth/token' || call.method === 'DELETE';
      if (isLetThrough || ++calls % 2 === 0) return reply;
      if (reply.status === 201) processor.requests.delete(String(call.body?.subject_request_id));
      return { ...refusal(429), headers: { 'retry-after': '1' } };
    };
    const { exitCode, broken } = await conformance([]);
    expect([exitCode, broken]).toEqual([0, []]);
  });

  it.each([
    ['android_advertising_id', 'raw', /^[0-9a-f-]{36}$/],
    ['email', 'sha256', /^[0-9a-f]{64}$/],
  ])('is of a type and format that discovery lists: %s, %s', async (type, format, value) => {
    processor.fault = (call, reply) =>
      call.path === '/discovery'
        ? json(200, { supported_identities: [{ identity_type: type, identity_format: format }] })
        : reply;
    await conformance([...OPENDSR, '--only', 'opendsr.create.status']);
    const sent = processor.calls.find(({ path }) => path === '/requests')?.body;
    expect(sent?.subject_identities).toEqual([
      {
        identity_type: type,
        identity_value: expect.stringMatching(value),
        identity_format: format,
      },
    ]);
  });
});

describe('a processor that is away', () => {
  const isToken = (path: string) => path === '/oauth/token';

  it('is not called for each rule: three calls without an answer and one more are enough', async () => {
    processor.fault = ({ path }, reply) => (isToken(path) ? reply : refusal(503));
    const { report } = await conformance([]);
    expect(report.checks).toHaveLength(CONTRACT_CHECKS.length);
    expect(processor.calls.length).toBeLessThan(15);
    const problems = report.checks.map(({ problem }) => problem);
    expect(problems).toContainEqual(expect.stringContaining('not sent'));
  });

  it('is another one than that which cuts the connection at some bodies', async () => {
    processor.fault = (_, reply) => (reply.status === 400 ? undefined : reply);
    const { report, broken } = await conformance([]);
    expect(broken).toEqual([]);
    const errors = report.checks.filter(({ outcome }) => outcome === 'error');
    expect(errors.map(({ problem }) => problem)).not.toContainEqual(
      expect.stringContaining('not sent'),
    );
  });

  it('leaves its report where it belongs, or says at once that it cannot be written', async () => {
    const run = (output: string) =>
      opendsr(['conformance', '--output', output], {
        cwd: folder.path,
        env: processor.environment,
      });
    const { exitCode, stderr } = await run('missing/report.xml');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
    expect(processor.calls).toEqual([]);
  });
});
