// What the files of a release were made from and by what, as in-toto and SLSA write it; and signatures of both this and
// the checksums, by cosign with a key. Nothing is sent anywhere: a transparency log is not used.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ROOT } from '../run.mjs';

/** cosign asks its own services unless it is told that there are none. */
const NO_SERVICES = { mediaType: 'application/vnd.dev.sigstore.signingconfig.v0.2+json' };

/** `subjects`: name and SHA-256 of each file. */
export function provenanceOf({ version, subjects, environment = process.env }) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = environment;
  const repository = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  const isWorkflow = GITHUB_RUN_ID !== undefined;
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, digest }) => ({ name, digest: { sha256: digest } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:unwrite:release:1',
        externalParameters: { version },
        resolvedDependencies: [
          {
            ...(isWorkflow && { uri: `git+${repository}` }),
            name: 'source',
            digest: { gitCommit: git('rev-parse', 'HEAD') },
          },
        ],
      },
      runDetails: {
        builder: { id: isWorkflow ? `${repository}/actions` : 'urn:unwrite:by-hand' },
        ...(isWorkflow && {
          metadata: { invocationId: `${repository}/actions/runs/${GITHUB_RUN_ID}` },
        }),
      },
    },
  };
}

/** The names of the files with the signatures. cosign takes the key's password from COSIGN_PASSWORD. */
export function sign({ folder, key, checksums, provenance }) {
  if (spawnSync('cosign', ['version']).error !== undefined)
    fail('--sign needs cosign 3 or newer, on the PATH', 1);
  const services = join(folder, 'signing-config.json');
  writeFileSync(services, JSON.stringify(NO_SERVICES));
  const commands = [
    { of: checksums, args: ['sign-blob', join(folder, checksums)] },
    { of: provenance, args: ['attest-blob', '--statement', join(folder, provenance)] },
  ];
  const made = commands.map(({ of, args }) => {
    const file = `${of.replace(/\.json$/, '')}.sigstore.json`;
    const options = ['--key', key, '--signing-config', services, '--bundle', join(folder, file)];
    const { status, stderr } = spawnSync('cosign', [...args, ...options, '--yes'], {
      encoding: 'utf8',
    });
    if (status !== 0) fail(`cosign could not sign ${of}: ${stderr.trim()}`, 1);
    return file;
  });
  rmSync(services);
  return made;
}
