// The answer of GET /receipts/keys: each key is signed by the one before it, the first by itself.
import { fromBase64, utf8 } from './bytes.ts';
import { membersOf, readDocument } from './documents.ts';
import { NotVerifiedError } from './not-verified.ts';
import { importPublicKey, type PublicKey } from './public-key.ts';

const MEMBERS = [
  'key_no',
  'key_id',
  'algorithm',
  'public_key',
  'created_time',
  'previous_key_id',
  'signature',
];

/** The keys in PEM, the oldest first. `first`: the id that the first must have, from a source that you trust. */
export async function readPublishedKeys(
  document: Uint8Array | string,
  options: { readonly first?: string } = {},
): Promise<string[]> {
  const { keys } = membersOf(readDocument(document, 'the list of keys'), 'the list of keys', [
    'keys',
  ]);
  if (!Array.isArray(keys) || keys.length === 0) throw new NotVerifiedError('there are no keys');
  const pems: string[] = [];
  let before: PublicKey | undefined;
  for (const [index, value] of keys.entries()) {
    const shape = membersOf(value, `key ${index + 1}`, MEMBERS);
    const key = await importPublicKey(String(shape.public_key));
    const lines = [
      'unwrite proof key 1',
      shape.key_no,
      shape.key_id,
      String(shape.public_key).replace(/-----[^-]+-----|\s/g, ''),
      shape.created_time,
      shape.previous_key_id ?? '-',
    ];
    const text = lines.map((line) => `${line}\n`).join('');
    const signature = fromBase64(String(shape.signature));
    const isNext =
      shape.key_no === index + 1 &&
      shape.key_id === key.keyId &&
      shape.algorithm === 'Ed25519' &&
      key.kind === 'Ed25519' &&
      shape.previous_key_id === (before?.keyId ?? null) &&
      signature !== undefined &&
      (await (before ?? key).verify(utf8(text), signature));
    if (!isNext) throw new NotVerifiedError(`key ${index + 1} is not signed by the one before it`);
    if (index === 0 && options.first !== undefined && options.first !== key.keyId) {
      throw new NotVerifiedError('the first key is not the one that you have kept');
    }
    before = key;
    pems.push(String(shape.public_key));
  }
  return pems;
}
