// An export as a chain to verify. Its content is checked, never trusted.
import { createHash } from 'node:crypto';
import type {
  AuditCut,
  AuditHead,
  ChainedRow,
  VerifySignature,
} from '../../domain/audit/proof-ports.ts';
import type { VerifiableChain } from '../verifiable-chain.ts';
import { footerLine, hashFooter } from './export-audit.ts';
import { fieldsOf, NotAnExport, textIn, wholeNumberIn } from './fields.ts';
import { type ExportedHead, readCut, readHead, readRow } from './read-lines.ts';
import { EXPORT_TYPE, EXPORT_VERSION } from './shapes.ts';

export interface Export {
  readonly chain: VerifiableChain;
  /** The footer must be at the end, and signed over everything before it. */
  checkFooter(verify: VerifySignature): string[];
}

/** The footer covers bytes: two invalid UTF-8 sequences could be read as the same text. */
export function readExport(given: string | Uint8Array): Export {
  const text = typeof given === 'string' ? given : decode(given);
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new NotAnExport('its last line is not whole');
  const [header = '', ...rest] = lines;
  const fields = fieldsOf(header, 1);
  if (fields.type !== EXPORT_TYPE) throw new NotAnExport('it is not an export of an audit log');
  if (fields.version !== EXPORT_VERSION) {
    throw new NotAnExport('it is of a version that this Unwrite does not know');
  }
  const { body, checkFooter } = takeFooter(text, rest);
  return { chain: chainOf(body, wholeNumberIn(fields, 'begins_after')), checkFooter };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotAnExport(
      'it is not UTF-8: bytes were changed, or it was written with another encoding',
    );
  }
}

function takeFooter(text: string, rest: readonly string[]) {
  const last = rest.at(-1) ?? '';
  const fields = last === '' ? {} : fieldsOf(last, rest.length + 1);
  const isFooter = fields.type === 'footer';
  return {
    body: isFooter ? rest.slice(0, -1) : rest,
    checkFooter(verify: VerifySignature): string[] {
      if (!isFooter) return ['its footer is missing: the end was cut off'];
      const footer = {
        lines: wholeNumberIn(fields, 'lines'),
        sha256: textIn(fields, 'sha256'),
        keyId: textIn(fields, 'key_id'),
      };
      const signature = Buffer.from(textIn(fields, 'signature'), 'hex');
      if (last !== footerLine(footer, signature.toString('hex'))) {
        return [
          'its footer is not as Unwrite writes it: a member is missing, added, twice or changed',
        ];
      }
      if (!verify(footer.keyId, hashFooter(footer), signature)) {
        return ['the signature of its footer was not made with the given key'];
      }
      const before = text.slice(0, text.length - last.length - 1);
      const sha256 = createHash('sha256').update(before).digest('hex');
      return sha256 === footer.sha256 && rest.length === footer.lines
        ? []
        : ['lines of the export were changed, removed or added since its footer was signed'];
    },
  };
}

function chainOf(lines: readonly string[], beginsAfter: number): VerifiableChain {
  const heads: ExportedHead[] = [];
  const rows: ChainedRow[] = [];
  let cut: AuditCut | undefined;
  for (const [index, line] of lines.entries()) {
    const number = index + 2;
    const fields = fieldsOf(line, number);
    if (fields.type === 'row') addInOrder(rows, readRow(line, fields), ({ auditNo }) => auditNo);
    else if (fields.type === 'head') {
      addInOrder(heads, readHead(line, fields), ({ head }) => head.headNo);
    } else if (fields.type === 'cut' && index === 0) cut = readCut(line, fields);
    else throw new NotAnExport(`line ${number} is of a type that does not belong there`);
  }
  const headAt = (headNo: number) => heads.find(({ head }) => head.headNo === headNo);
  return {
    beginsAfter,
    heads: async (after, max) =>
      from(heads, after + 1, max, ({ head }) => head.headNo).map(({ head }) => head),
    rows: async (first, last) =>
      from(rows, first, last - first + 1, ({ auditNo }) => auditNo).filter(
        (it) => it.auditNo <= last,
      ),
    rowsAfter: async (after, max) => from(rows, after + 1, max, ({ auditNo }) => auditNo),
    cut: async () => cut,
    async leaves({ headNo, lastAuditNo }: AuditHead, first) {
      const leaves = headAt(headNo)?.leaves;
      return leaves?.length === lastAuditNo - first + 1 ? leaves : undefined;
    },
    peaks: async ({ headNo }) => headAt(headNo)?.peaks ?? undefined,
  };
}

function addInOrder<T>(items: T[], item: T, numberOf: (item: T) => number): void {
  const last = items.at(-1);
  if (last !== undefined && numberOf(last) >= numberOf(item)) {
    throw new NotAnExport(`number ${numberOf(item)} appears twice, or not in its place`);
  }
  items.push(item);
}

function from<T>(
  items: readonly T[],
  number: number,
  max: number,
  numberOf: (item: T) => number,
): T[] {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && numberOf(item) < number) low = middle + 1;
    else high = middle;
  }
  return items.slice(low, low + max);
}
