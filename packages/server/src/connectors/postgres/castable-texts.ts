// Texts that a type certainly accepts: PostgreSQL has no cast that answers instead of failing.
import { isIP } from 'node:net';
import type { ColumnShape } from '../sql/catalogue.ts';

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i;
const BOOLEAN = /^\s*(?:t|true|y|yes|on|1|f|false|n|no|off|0)\s*$/i;
const NETWORK = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** Texts that the type accepts, for types that spell one value in several ways; undefined for other types. */
export function castableTexts(
  { base = '' }: ColumnShape,
  texts: readonly string[],
): { readonly type: string; readonly texts: readonly string[] } | undefined {
  const take = (type: string, accepts: (text: string) => boolean) => ({
    type,
    texts: texts.filter(accepts),
  });
  switch (base) {
    case 'float4':
      return take('real', (text) => isNumber(text, Math.fround));
    case 'float8':
      return take('double precision', (text) => isNumber(text, Number));
    case 'bool':
      return take('boolean', (text) => BOOLEAN.test(text));
    case 'inet':
    case 'cidr':
      return take('inet', isNetwork);
    default:
      return undefined;
  }
}

/** Out of range, too large or too close to 0, is an error. */
function isNumber(text: string, round: (value: number) => number): boolean {
  if (!NUMBER.test(text)) return false;
  const value = round(Number(text));
  return Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text.replace(/e.*$/i, '')));
}

function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = NETWORK.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}
