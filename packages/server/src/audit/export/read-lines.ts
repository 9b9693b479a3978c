// Reads the lines of an export. Each line must be exactly the text that would be written for its content.
import type { AuditCut, AuditHead, ChainedRow } from '../../domain/audit/proof-ports.ts';
import { TREE_VERSION } from '../chain.ts';
import { HASH_BYTES } from '../tree/merkle.ts';
import { splitHashes } from '../tree/tiles.ts';
import { bytesIn, type Fields, NotAnExport, textIn, textOrNull, wholeNumberIn } from './fields.ts';
import { cutLine, type HeadHashes, headLine, oldHeadLine, rowLine } from './shapes.ts';

export interface ExportedHead extends HeadHashes {
  readonly head: AuditHead;
}

function exact<T>(line: string, written: string, value: T): T {
  if (line === written) return value;
  const start = line.slice(0, 60);
  throw new NotAnExport(
    `a line is not as Unwrite writes it (a member is missing, added, twice or changed): ${start}…`,
  );
}

export function readRow(line: string, fields: Fields): ChainedRow {
  const row = {
    auditNo: wholeNumberIn(fields, 'audit_no'),
    time: wholeNumberIn(fields, 'time'),
    actor: textIn(fields, 'actor'),
    action: textIn(fields, 'action'),
    controllerId: textOrNull(fields, 'controller_id'),
    subjectRequestId: textOrNull(fields, 'subject_request_id'),
    detail: textOrNull(fields, 'detail'),
    requestNo: fields.request_no === null ? null : wholeNumberIn(fields, 'request_no'),
    ...(fields.salt !== undefined && { salt: textIn(fields, 'salt') }),
  };
  return exact(line, rowLine(row), row);
}

function readSigned(fields: Fields, version: number): Omit<AuditHead, 'rowDigests'> {
  const isTree = version === TREE_VERSION;
  return {
    version,
    headNo: wholeNumberIn(fields, 'head_no'),
    firstAuditNo: wholeNumberIn(fields, 'first_audit_no'),
    lastAuditNo: wholeNumberIn(fields, 'last_audit_no'),
    time: wholeNumberIn(fields, 'time'),
    treeFirst: isTree ? wholeNumberIn(fields, 'tree_first') : null,
    rowsHash: bytesIn(fields, isTree ? 'root' : 'rows_hash'),
    previousHash: bytesIn(fields, 'previous_hash'),
    hash: bytesIn(fields, 'hash'),
    keyId: textIn(fields, 'key_id'),
    signature: bytesIn(fields, 'signature'),
    saltSeed: null,
  };
}

function digestsIn(fields: Fields): Buffer | null {
  const text = textOrNull(fields, 'row_digests');
  return text === null ? null : Buffer.from(text, 'base64');
}

export function readHead(line: string, fields: Fields): ExportedHead {
  const version = wholeNumberIn(fields, 'version');
  if (version !== TREE_VERSION) {
    const head = { ...readSigned(fields, version), rowDigests: digestsIn(fields) };
    const none = { leaves: null, peaks: null };
    return exact(line, headLine(head, none), { head, ...none });
  }
  const leaves = textOrNull(fields, 'leaves');
  const hashes: HeadHashes = {
    leaves: leaves === null ? null : splitHashes(Buffer.from(leaves, 'base64')).map(wholeHash),
    peaks: fields.peaks === null ? null : peaksIn(fields.peaks),
  };
  const head = { ...readSigned(fields, version), rowDigests: null };
  return exact(line, headLine(head, hashes), { head, ...hashes });
}

function peaksIn(value: unknown): Buffer[] {
  if (!Array.isArray(value)) throw new NotAnExport('peaks must be a list');
  return value.map((peak) => wholeHash(Buffer.from(String(peak), 'hex')));
}

function wholeHash<T extends Uint8Array>(hash: T): T {
  if (hash.length === HASH_BYTES) return hash;
  throw new NotAnExport('leaves and peaks must be SHA-256 hashes');
}

export function readOldHead(line: string, fields: Fields): ExportedHead {
  const head = { ...readSigned(fields, 1), rowDigests: digestsIn(fields) };
  return exact(line, oldHeadLine(head), { head, leaves: null, peaks: null });
}

export function readCut(line: string, fields: Fields): AuditCut {
  const cut = {
    headNo: wholeNumberIn(fields, 'head_no'),
    headHash: bytesIn(fields, 'head_hash'),
    lastAuditNo: wholeNumberIn(fields, 'last_audit_no'),
    headTime: wholeNumberIn(fields, 'head_time'),
    retentionMs: wholeNumberIn(fields, 'retention_ms'),
    time: wholeNumberIn(fields, 'time'),
    keyId: textIn(fields, 'key_id'),
    signature: bytesIn(fields, 'signature'),
  };
  return exact(line, cutLine(cut), cut);
}
