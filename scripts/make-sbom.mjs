// A bill of materials in CycloneDX's JSON, from the lock file alone: the same file gives the same bill. npm's own
// (`npm sbom`) wants a version of the workspace, and writes down the registry that a package came from.
import { createHash } from 'node:crypto';
import { bundledGraph, deliveredGraph, nameOf, serverGraph, wholeGraph } from './lock-graph.mjs';

const ALGORITHMS = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };
const SUBJECT = 'packages/server';
/** Where it is built in: the package has no dependencies. What is not delivered, and Node.js, is in neither. */
const bundledIn = (part) => ({ name: 'unwrite:bundled', value: part });

/** `lock` is the parsed package-lock.json. */
export function makeSbom(lock, { withDevelopment = false } = {}) {
  const delivered = deliveredGraph(lock);
  const parts = [
    [bundledIn('console'), bundledGraph(lock)],
    [bundledIn('server'), serverGraph(lock)],
  ];
  const graph = withDevelopment ? wholeGraph(lock) : delivered;
  const subject = componentOf(lock, SUBJECT, 'application');
  const components = [...graph.keys()]
    .filter((path) => path !== SUBJECT)
    .map((path) => {
      const properties = parts.flatMap(([property, built]) => (built.has(path) ? [property] : []));
      return {
        ...componentOf(lock, path, 'library'),
        scope: scopeOf(lock.packages[path], delivered.has(path)),
        ...(properties.length > 0 && { properties }),
      };
    });
  const dependencies = [...graph].map(([path, needed]) => ({
    ref: refOf(lock, path),
    dependsOn: [...new Set(needed.map((it) => refOf(lock, it)))],
  }));
  const content = { metadata: { component: subject }, components, dependencies };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(content)}`,
    version: 1,
    ...content,
  };
}

function scopeOf({ optional }, isDelivered) {
  if (!isDelivered) return 'excluded';
  return optional ? 'optional' : 'required';
}

function componentOf(lock, path, type) {
  const { version, license, integrity } = lock.packages[path];
  const [name, group] = nameOf(path, lock).split('/').reverse();
  return {
    type,
    'bom-ref': refOf(lock, path),
    ...(group !== undefined && { group }),
    name,
    version,
    purl: purlOf(lock, path),
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
    ...(integrity !== undefined && { hashes: integrity.split(' ').map(hashOf) }),
  };
}

const licenseOf = (text) => (/[ (]/.test(text) ? { expression: text } : { license: { id: text } });

function hashOf(text) {
  const [algorithm, digest] = text.split(/-(.*)/s);
  return { alg: ALGORITHMS[algorithm], content: Buffer.from(digest, 'base64').toString('hex') };
}

function purlOf(lock, path) {
  return `pkg:npm/${nameOf(path, lock).replace('@', '%40')}@${lock.packages[path].version}`;
}

/** A package may be there twice in one version, in two places: its path tells them apart. */
function refOf(lock, path) {
  return path.lastIndexOf('node_modules/') > 0
    ? `${purlOf(lock, path)}#${path}`
    : purlOf(lock, path);
}

/** The same content has the same number. */
function uuidOf(content) {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const [a, b, c, d, e] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16)].concat([
    hex.slice(17, 20),
    hex.slice(20, 32),
  ]);
  return `${a}-${b}-4${c}-8${d}-${e}`;
}
