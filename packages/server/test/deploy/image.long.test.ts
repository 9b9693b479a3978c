// The image: built by the script of the release from the package as it is published, and run without any right that it
// does not need.
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { call, getToken, postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { until } from '../helpers/until.ts';
import { KEY_PASSWORD, makeBaseImage, makeRelease, type Release } from './build-release.ts';
import { createMachine, type ImageConfig, type Machine, unpackImage } from './run-image.ts';
import { findTool, output, runTool } from './tools.ts';

const isRoot = process.getuid?.() === 0;
const canBuild = ['buildah', 'bwrap', 'mmdebstrap', 'setpriv'].every((it) =>
  findTool(it, 'buildah'),
);
const cosign = findTool('cosign', 'cosign');

describe.runIf(isRoot && canBuild)('a release with its image', { timeout: 120_000 }, () => {
  // On a disk: the unpacked images are large. Another user than this one has to reach it.
  const folder = mkdtempSync('/var/tmp/unwrite-test-');
  let release: Release;
  let config: ImageConfig;
  let machine: Machine;
  let root: string;
  let url: string;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const storage = makeBaseImage(folder);
    if (cosign !== undefined) {
      const args = ['generate-key-pair', '--output-key-prefix', join(folder, 'cosign')];
      output(cosign, args, { COSIGN_PASSWORD: KEY_PASSWORD });
    }
    const key = cosign === undefined ? undefined : join(folder, 'cosign.key');
    release = makeRelease(join(folder, 'release'), { storage, key });
    const image = unpackImage(archive(), folder, storage);
    ({ config, root } = image);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    machine = createMachine(image, folder, { PORT: String(port) });
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const archive = () => {
    const name = readdirSync(release.folder).find((it) => it.startsWith('unwrite-image_'));
    return join(release.folder, name ?? 'no image');
  };

  it('has less than 80 MB, compressed', () => {
    expect(statSync(archive()).size).toBeLessThan(80_000_000);
  });

  it('is run as another user than root, and checked by its own command', () => {
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['unwrite'],
      Cmd: ['serve'],
      Healthcheck: { Test: ['CMD', 'unwrite', 'health'] },
      Volumes: { '/var/lib/unwrite': {} },
    });
  });

  it('has no shell, no package manager, and no name of a mirror', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
    expect(files.filter((it) => /(^|\/)(ba|da)?sh$|\/(apt|dpkg|npm)$/.test(it))).toEqual([
      'var/lib/dpkg',
    ]);
    expect(existsSync(join(root, 'etc/apt'))).toBe(false);
  });

  it('lists the packages of the system in it, for scanners, with their licences', () => {
    const listed = readdirSync(join(root, 'var/lib/dpkg/status.d'));
    expect(listed).toEqual(['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6']);
    const libc = readFileSync(join(root, 'var/lib/dpkg/status.d/libc6'), 'utf8');
    expect(libc).toMatch(/^Package: libc6$.*^Version: \S+$/ms);
    expect(readdirSync(join(root, 'usr/share/doc'))).toContain('libc6');
  });

  it('serves and erases with a read-only root and without capabilities', async () => {
    writeFileSync(
      join(folder, 'etc/unwrite.config.yaml'),
      'demo: true\ntargets:\n  club:\n    connector: sqlite\n    file: /var/lib/unwrite/club.db\n    controllers: [demo]\n    tables:\n      - table: members\n        match: { email: email }\n',
    );
    makeClub(join(folder, 'data/club.db'));
    expect(machine.run('health')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ECONNREFUSED'),
    });
    const server = machine.serve();
    try {
      await until(() => machine.run('health').status === 0, server.output);
      await until(() => /client_secret .*base_url /s.test(server.output()), server.output);
      const printed = (name: string) =>
        new RegExp(`${name} +(\\S+)`).exec(server.output())?.[1] ?? '';
      const token = await getToken({
        controller_id: 'demo',
        client_id: printed('client_id'),
        client_secret: printed('client_secret'),
        audience: printed('audience'),
        token_url: `${url}/oauth/token`,
        base_url: url,
      });
      const id = randomUUID();
      const body = requestBody({
        subject_request_id: id,
        subject_identities: [identity('email', 'jane@example.com')],
      });
      expect(await postJson(`${url}/requests`, body, token)).toMatchObject({ status: 201 });
      expect(machine.run('request', 'start', id).stderr).toBe('');
      const status = () => call(`${url}/requests/${id}`, { token });
      await until(
        async () => (await status()).body.request_status === 'completed',
        () => `${server.output()}\n${machine.run('task', 'list').stdout}`,
      );
      expect(emailsIn(join(folder, 'data/club.db'))).toEqual(['joe@example.com']);
      expect((await call(`${url}/console`)).status).toBe(200);
    } finally {
      expect(await server.stop()).toBe(0);
    }
    expect(server.output()).toContain('"stopped"');
  });

  it('writes nothing but its data folder, and says so where that is read-only, too', () => {
    chownSync(join(folder, 'data'), 0, 0);
    const { status, stderr } = machine.run('serve');
    expect([status, stderr]).toEqual([1, expect.stringContaining('data folder')]);
  });

  it('names its provenance, which is signed as the checksums are', () => {
    const statement = JSON.parse(
      readFileSync(join(release.folder, fileOf(/^unwrite-.*provenance\.json$/)), 'utf8'),
    );
    const names = statement.subject.map(({ name }: { name: string }) => name);
    expect(names).toContain(archive().split('/').at(-1));
    expect(statement.predicate.buildDefinition.resolvedDependencies).toEqual([
      { name: 'source', digest: { gitCommit: output('git', ['rev-parse', 'HEAD']).trim() } },
    ]);
    expect(release.said).toMatch(/ {2}gh release create v\S+ .*SHA256SUMS/);
  });

  it.runIf(cosign)(
    'is verified by cosign without a network, and refused when it was changed',
    () => {
      const verify = (command: string, file: string, bundle: string, ...more: string[]) =>
        runTool(cosign ?? '', [
          command,
          '--insecure-ignore-tlog',
          `--key=${join(folder, 'cosign.pub')}`,
          `--bundle=${join(release.folder, bundle)}`,
          ...more,
          file,
        ]).status;
      const sums = join(release.folder, 'SHA256SUMS');
      const changed = join(folder, 'changed');
      writeFileSync(changed, `${readFileSync(sums, 'utf8')}\n`);
      expect(verify('verify-blob', sums, 'SHA256SUMS.sigstore.json')).toBe(0);
      expect(verify('verify-blob', changed, 'SHA256SUMS.sigstore.json')).not.toBe(0);
      const bundle = fileOf(/provenance\.sigstore\.json$/);
      const attested = (file: string) =>
        verify('verify-blob-attestation', file, bundle, '--type', 'slsaprovenance1');
      expect(attested(archive())).toBe(0);
      expect(attested(changed)).not.toBe(0);
    },
  );

  const fileOf = (pattern: RegExp) =>
    readdirSync(release.folder).find((it) => pattern.test(it)) ?? `no ${pattern}`;
});

function makeClub(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    "CREATE TABLE members (id INTEGER PRIMARY KEY, email TEXT); INSERT INTO members (email) VALUES ('jane@example.com'), ('joe@example.com')",
  );
  database.close();
  chownSync(file, 65_532, 65_532);
}

function emailsIn(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare('SELECT email FROM members')
      .all()
      .map(({ email }) => email);
  } finally {
    database.close();
  }
}
