// Reads the lines of an export. Each line must be exactly the text that would be written for its content.
import type { AuditCut, AuditHead, ChainedRow } from '../../domain/audit/proof-ports.ts';
import { HASH_BYTES } from '../tree/merkle.ts';
import { splitHashes } from '../tree/tiles.ts';
import { bytesIn, type Fields, NotAnExport, textIn, textOrNull, wholeNumberIn } from './fields.ts';
import { cutLine, type HeadHashes, headLine, rowLine } from './shapes.ts';

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

function readSigned(fields: Fields): AuditHead {
  return {
    headNo: wholeNumberIn(fields, 'head_no'),
    firstAuditNo: wholeNumberIn(fields, 'first_audit_no'),
    lastAuditNo: wholeNumberIn(fields, 'last_audit_no'),
    time: wholeNumberIn(fields, 'time'),
    treeFirst: wholeNumberIn(fields, 'tree_first'),
    rowsHash: bytesIn(fields, 'root'),
    previousHash: bytesIn(fields, 'previous_hash'),
    hash: bytesIn(fields, 'hash'),
    keyId: textIn(fields, 'key_id'),
    signature: bytesIn(fields, 'signature'),
    saltSeed: null,
  };
}

export function readHead(line: string, fields: Fields): ExportedHead {
  const leaves = textOrNull(fields, 'leaves');
  const hashes: HeadHashes = {
    leaves: leaves === null ? null : splitHashes(Buffer.from(leaves, 'base64')).map(wholeHash),
    peaks: fields.peaks === null ? null : peaksIn(fields.peaks),
  };
  const head = readSigned(fields);
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
