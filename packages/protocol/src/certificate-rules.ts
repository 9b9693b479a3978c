// What a certificate must be so that answers signed with its key are accepted, apart from names, time and the root: one rule
// for those who sign and those who verify. What is not understood here is refused. Problems follow the certificate's name.
import { isAuthority, maxPathLength, mayUse, partsOf } from './certificate-parts.ts';

const MIN_RSA_BITS = 2048;

/** SHA-256 and longer, with RSA (also PSS) and ECDSA, and Ed25519. */
const SIGNATURE_ALGORITHMS = new Set([
  '2a864886f70d01010a',
  '2a864886f70d01010b',
  '2a864886f70d01010c',
  '2a864886f70d01010d',
  '2a8648ce3d040302',
  '2a8648ce3d040303',
  '2a8648ce3d040304',
  '2b6570',
]);

const KEY_USAGE = '551d0f';
const BASIC_CONSTRAINTS = '551d13';
const NAME_CONSTRAINTS = '551d1e';
/** Also alternative names, policies and extended key usage. */
const UNDERSTOOD = [KEY_USAGE, BASIC_CONSTRAINTS, '551d11', '551d20', '551d25'];

/** Of the certificate whose key signs answers. `der`: as Node has parsed it. */
export function problemOfSigner(der: Uint8Array): string | undefined {
  const { find, problem } = look(der);
  if (problem !== undefined) return problem;
  const usage = find(KEY_USAGE);
  return usage !== undefined && !mayUse(usage, 'digitalSignature')
    ? 'is not made for signatures (its key usage has no digitalSignature)'
    : undefined;
}

/** Of an authority in its chain. `below`: how many others are between the two. */
export function problemOfAuthority(der: Uint8Array, below: number): string | undefined {
  const { find, problem } = look(der);
  if (problem !== undefined) return problem;
  const usage = find(KEY_USAGE);
  const constraints = find(BASIC_CONSTRAINTS);
  const mayIssue = usage === undefined || mayUse(usage, 'keyCertSign');
  if (constraints === undefined || !isAuthority(constraints) || !mayIssue) {
    return 'is not an authority';
  }
  return below > (maxPathLength(constraints) ?? below)
    ? 'must not have so many below it'
    : undefined;
}

function look(der: Uint8Array) {
  const { signatureAlgorithm, rsaBits = MIN_RSA_BITS, extensions } = partsOf(der);
  const strange = extensions.find(
    ({ id, isCritical }) => id === NAME_CONSTRAINTS || (isCritical && !UNDERSTOOD.includes(id)),
  );
  let problem: string | undefined;
  if (!SIGNATURE_ALGORITHMS.has(signatureAlgorithm)) {
    problem = 'is signed with an algorithm that is too old';
  } else if (rsaBits < MIN_RSA_BITS) {
    problem = `has an RSA key of less than ${MIN_RSA_BITS} bits`;
  } else if (strange !== undefined) {
    problem = `has a constraint that is not understood (extension ${strange.id})`;
  }
  const find = (id: string) => extensions.find((it) => it.id === id)?.value;
  return { find, problem };
}
