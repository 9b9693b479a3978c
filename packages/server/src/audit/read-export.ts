// An export as a chain to verify. What it says is not believed, only checked.
import type { AuditChain, AuditHead, ChainedRow } from '../domain/audit/proof-ports.ts';
import { EXPORT_TYPE } from './export-audit.ts';

export class NotAnExport extends Error {
  override readonly name = 'NotAnExport';
}

type Fields = Readonly<Record<string, unknown>>;

export function readExport(text: string): AuditChain {
  const lines = text.split('\n').filter((line) => line !== '');
  const [header, ...values] = lines.map((line, index) => parse(line, index + 1));
  if (header?.type !== EXPORT_TYPE) throw new NotAnExport('it is not an export of an audit log');
  const heads = inOrder(values.filter(isOf('head')).map(readHead), ({ headNo }) => headNo);
  const rows = inOrder(values.filter(isOf('row')).map(readRow), ({ auditNo }) => auditNo);
  return {
    heads: async (after, most) => heads.from(after + 1, most),
    rows: async (first, last) =>
      rows.from(first, last - first + 1).filter((it) => it.auditNo <= last),
    rowsAfter: async (after, most) => rows.from(after + 1, most),
  };
}

const isOf = (type: string) => (fields: Fields) => fields.type === type;

function parse(line: string, number: number): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch {
    // Said below.
  }
  throw new NotAnExport(`line ${number} is not a JSON object`);
}

function inOrder<T>(items: T[], numberOf: (item: T) => number) {
  const sorted = items.sort((a, b) => numberOf(a) - numberOf(b));
  const twice = sorted.find((item, i) => {
    const before = sorted[i - 1];
    return before !== undefined && numberOf(before) === numberOf(item);
  });
  if (twice !== undefined) throw new NotAnExport(`number ${numberOf(twice)} appears twice`);
  return {
    from(number: number, most: number): T[] {
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        const item = sorted[middle];
        if (item !== undefined && numberOf(item) < number) low = middle + 1;
        else high = middle;
      }
      return sorted.slice(low, low + most);
    },
  };
}

function readRow(fields: Fields): ChainedRow {
  return {
    auditNo: numberIn(fields, 'audit_no'),
    time: numberIn(fields, 'time'),
    actor: textIn(fields, 'actor'),
    action: textIn(fields, 'action'),
    controllerId: textOrNull(fields, 'controller_id'),
    subjectRequestId: textOrNull(fields, 'subject_request_id'),
    detail: textOrNull(fields, 'detail'),
    requestNo: fields.request_no === null ? null : numberIn(fields, 'request_no'),
  };
}

function readHead(fields: Fields): AuditHead {
  const bytes = (name: string) => Buffer.from(textIn(fields, name), 'hex');
  const digests = textOrNull(fields, 'row_digests');
  return {
    headNo: numberIn(fields, 'head_no'),
    firstAuditNo: numberIn(fields, 'first_audit_no'),
    lastAuditNo: numberIn(fields, 'last_audit_no'),
    time: numberIn(fields, 'time'),
    previousHash: bytes('previous_hash'),
    rowsHash: bytes('rows_hash'),
    hash: bytes('hash'),
    keyId: textIn(fields, 'key_id'),
    signature: bytes('signature'),
    rowDigests: digests === null ? null : Buffer.from(digests, 'base64'),
  };
}

function numberIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value)) throw new NotAnExport(`${name} must be a whole number`);
  return value as number;
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new NotAnExport(`${name} must be a string`);
  return value;
}

function textOrNull(fields: Fields, name: string): string | null {
  return fields[name] === null ? null : textIn(fields, name);
}
