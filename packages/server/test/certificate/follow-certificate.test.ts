import { X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenedCertificate, openCertificate } from '../../src/app/certificate.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { NewAlarm } from '../../src/domain/alarm/alarm.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { type Certificate, type Issued, makeAuthority } from '../helpers/http/certificates.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const DOMAIN = 'erase.example.com';
const DAY = 86_400_000;
const authority = makeAuthority('authority');

let folder: TemporaryFolder;
let output: string[];
const log = () => output.join('');
let alarms: NewAlarm[];
let isStoreAway: boolean;
let later: number;
let stop: (() => void) | undefined;

beforeEach(() => {
  folder = makeTemporaryFolder();
  output = [];
  alarms = [];
  isStoreAway = false;
  later = 0;
});
afterEach(() => {
  stop?.();
  stop = undefined;
  folder.remove();
});

function write(pair: Partial<Certificate>): void {
  if (pair.certificate) writeFileSync(join(folder.path, 'a.crt'), pair.certificate);
  if (pair.key) writeFileSync(join(folder.path, 'a.key'), pair.key, { mode: 0o600 });
}

function issue(details: Issued = {}): Certificate {
  return authority.issue(DOMAIN, undefined, details);
}

async function open(pair: Certificate): Promise<OpenedCertificate> {
  // A look that is under way when a test ends must not tell the next one.
  const [ownAlarms, ownOutput] = [alarms, output];
  write(pair);
  const { config } = loadConfig(
    { processorCertificateFile: 'a.crt', processorKeyFile: 'a.key', domain: DOMAIN },
    {},
    folder.path,
  );
  const opened = await openCertificate({
    config,
    alarms: {
      async raise(raised) {
        if (isStoreAway) throw new Error('away');
        const fresh = raised.filter(
          ({ subject }) => !ownAlarms.some((it) => it.subject === subject),
        );
        ownAlarms.push(...fresh);
        return fresh;
      },
    },
    clock: () => Date.now() + later,
    log: await createLog('info', { write: (line) => void ownOutput.push(line) }),
    everyMs: 5,
  });
  if (opened === undefined) throw new Error('there is no certificate');
  stop = opened.follow();
  return opened;
}

const said = (text: string) =>
  until(
    () => log().includes(text),
    () => `the log does not say "${text}": ${log()}`,
  );
const fingerprintOf = ({ certificate }: Certificate) =>
  new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();

describe("the files of the processor's certificate", () => {
  it('raise an alarm again where a later renewal has the same fault', async () => {
    const lasting = () => issue({ validTo: Date.now() + 400 * DAY });
    await open(lasting());
    const raised = async (count: number) => {
      write(authority.issue('other.example'));
      const refused = () => alarms.filter(({ kind }) => kind === 'certificate_refused');
      await until(
        () => refused().length === count,
        () => `${refused().length} alarms were raised, not ${count}`,
      );
    };
    await raised(1);
    write(lasting());
    await said('was replaced');
    later = 60 * DAY;
    await raised(2);
  });

  it('are read again when they change, without a restart', async () => {
    const opened = await open(issue());
    const next = issue({ keyType: 'rsa' });
    write(next);
    await said('was replaced');
    expect(opened.current().fingerprint).toBe(fingerprintOf(next));
    expect(opened.signing.pem()).toBe(next.certificate);
  });

  it.each([
    ['with a key that does not fit', () => ({ key: issue().key }), /is not the key/],
    ['for another domain', () => authority.issue('other.example'), /is not for erase/],
    ['that has expired', () => issue({ validTo: Date.now() - 1000 }), /is valid from .* only/],
    ['that is broken', () => ({ certificate: 'nonsense' }), /in PEM/],
  ])('are kept out %s: logged, an alarm, and the old one stays', async (_, change, problem) => {
    const first = issue();
    const opened = await open(first);
    write(change());
    await said('the old one is kept');
    await until(
      () => alarms.length > 0,
      () => 'no alarm was raised',
    );
    expect(alarms).toMatchObject([
      { kind: 'certificate_refused', message: expect.stringMatching(problem) },
    ]);
    expect(opened.current().fingerprint).toBe(fingerprintOf(first));
    const next = issue();
    write(next);
    await said('was replaced');
    expect(opened.current().fingerprint).toBe(fingerprintOf(next));
  });

  it('may get the authority that was missing in the chain', async () => {
    const first = issue();
    const opened = await open(first);
    const certificate = first.certificate + authority.certificate;
    write({ certificate });
    await said('was replaced');
    expect(opened.signing.pem()).toBe(certificate);
  });

  it('are used as soon as they are valid, if they are replaced before', async () => {
    const opened = await open(issue());
    const next = issue({ validFrom: Date.now() + DAY, validTo: Date.now() + 90 * DAY });
    write(next);
    await said('the old one is kept');
    later = 2 * DAY;
    await said('was replaced');
    expect(opened.current().fingerprint).toBe(fingerprintOf(next));
    expect(log().match(/the old one is kept/g)).toHaveLength(1);
  });

  it('may be gone for a moment', async () => {
    const opened = await open(issue());
    const { fingerprint } = opened.current();
    rmSync(join(folder.path, 'a.crt'));
    await said('a.crt cannot be read (ENOENT)');
    expect(opened.current().fingerprint).toBe(fingerprint);
  });
});

describe("the expiry of the processor's certificate", () => {
  it('is reported when a third of the lifetime is left', async () => {
    const now = Date.now();
    await open(issue({ validFrom: now - 21 * DAY, validTo: now + 10 * DAY }));
    expect(log()).toMatch(/expires in 9 days: renew it/);
    expect(alarms).toMatchObject([{ kind: 'certificate_expiry', percent: 67 }]);
  });

  it('does not keep the service from starting, and is alarmed', async () => {
    const opened = await open(issue({ validTo: Date.now() - 1000 }));
    expect(log()).toContain('has expired');
    expect(alarms).toMatchObject([{ kind: 'certificate_expiry', percent: 100 }]);
    const next = issue();
    write(next);
    await said('was replaced');
    expect(opened.current().fingerprint).toBe(fingerprintOf(next));
  });

  it('is alarmed later if the store is away', async () => {
    isStoreAway = true;
    await open(issue({ validTo: Date.now() - 1000 }));
    expect(log()).toContain('has expired');
    isStoreAway = false;
    await until(
      () => alarms.length === 1,
      () => 'no alarm was raised',
    );
    expect(log().match(/has expired/g)).toHaveLength(1);
  });
});
