// Everything that shows what became of the requests of a controller, as the files of one archive. In constant memory:
// requests are read page by page.

import type { GivenReceipt } from '../../domain/receipt/receipt.ts';
import { ReceiptRefused } from '../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import { isoTime } from '../iso-time.ts';
import { auditRowShape } from '../list-audit.ts';
import { type RequestLine, requestLines } from '../request/request-line.ts';
import { csvLine } from './csv.ts';
import {
  type ExportedRequest,
  type ExportFacts,
  indexEnd,
  indexHead,
  indexRow,
} from './index-page.ts';

const PAGE = 100;
const AUDIT_PAGE = 1000;

export interface ExportQuery {
  readonly controllerId: ControllerId;
  /** When requests were received. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly until?: number | undefined;
  /** With full receipts and audit rows, which name tables, targets and staff. */
  readonly full: boolean;
}

interface GrowingFile {
  write(text: string): Promise<void>;
  /** Returns its SHA-256. */
  end(): Promise<string>;
}

export interface Archive {
  /** Returns its SHA-256. */
  add(name: string, text: string): Promise<string>;
  grow(name: string): Promise<GrowingFile>;
  end(): Promise<void>;
}

export interface ExportParts {
  readonly store: Pick<Store, 'views' | 'tasks' | 'auditLog'>;
  readonly domain: string;
  /** Signs what is due. */
  issue(request: RequestKey): Promise<readonly GivenReceipt[]>;
  render(document: string): Promise<string>;
  /** All keys that ever signed, as they are published. */
  keys(): Promise<string>;
  /** A signed document. */
  sign(document: object): Promise<string>;
}

export interface Exported {
  readonly requests: number;
  readonly receipts: number;
  /** Requests whose receipt is refused. */
  readonly refused: number;
}

export async function exportEvidence(
  parts: ExportParts,
  query: ExportQuery,
  archive: Archive,
  by: Actor,
): Promise<Exported> {
  const { controllerId, full } = query;
  const from = isoTime(query.from ?? null);
  const until = isoTime(query.until ?? null);
  // Before anything is given out.
  await parts.store.auditLog.note('evidence.exported', by, { from, until, full }, controllerId);
  const sums = await archive.grow('SHA256SUMS');
  const add = async (name: string, text: string) =>
    sums.write(`${await archive.add(name, text)}  ${name}\n`);
  const growing = new Map<string, GrowingFile>();
  const grow = async (name: string, first: string) => {
    const file = await archive.grow(name);
    growing.set(name, file);
    await file.write(first);
    return file;
  };
  const facts: ExportFacts = {
    domain: parts.domain,
    controllerId,
    received: receivedWords(from, until),
    created: new Date(by.now).toISOString(),
    isFull: full,
  };
  const index = await grow('index.html', indexHead(facts));
  const csv = await grow('requests.csv', csvLine(REQUEST_COLUMNS));
  const outcomes = new Map<string, number>();
  const count = { requests: 0, receipts: 0, refused: 0 };
  for await (const line of requestsOf(parts.store, query)) {
    const exported = await addReceipts(parts, line, full, add);
    await csv.write(csvLine(requestCells(exported)));
    await index.write(indexRow(exported));
    outcomes.set(line.outcome, (outcomes.get(line.outcome) ?? 0) + 1);
    count.requests++;
    count.receipts += exported.receipts.length;
    if (exported.problem !== null) count.refused++;
  }
  await index.write(indexEnd(facts, outcomes));
  if (full) await writeAudit(parts.store, query, await grow('audit.csv', csvLine(AUDIT_COLUMNS)));
  await add('keys.json', await parts.keys());
  for (const [name, file] of growing) await sums.write(`${await file.end()}  ${name}\n`);
  await archive.add(
    'export.json',
    await parts.sign({
      document: 'unwrite export',
      version: 1,
      processor_domain: parts.domain,
      controller_id: controllerId,
      received_from: from,
      received_before: until,
      exported_time: facts.created,
      full,
      ...count,
      sha256sums: await sums.end(),
    }),
  );
  await archive.end();
  return count;
}

async function* requestsOf(
  store: ExportParts['store'],
  { controllerId, from, until }: ExportQuery,
): AsyncIterable<RequestLine> {
  let after: Awaited<ReturnType<typeof requestLines>>['next'] | undefined;
  while (after !== null) {
    const page = await requestLines(store, {
      controllerId,
      limit: PAGE,
      ...(from !== undefined && { receivedFrom: from }),
      ...(until !== undefined && { receivedUntil: until }),
      ...(after !== undefined && { after }),
    });
    yield* page.items;
    after = page.next;
  }
}

async function addReceipts(
  { issue, render }: ExportParts,
  line: RequestLine,
  full: boolean,
  add: (name: string, text: string) => Promise<void>,
): Promise<ExportedRequest> {
  if (line.request_status !== 'completed') return { line, receipts: [], problem: null };
  const receipts: string[] = [];
  try {
    const issued = await issue({
      controllerId: line.controller_id,
      subjectRequestId: line.subject_request_id,
    });
    for (const [at, { document, fullDocument }] of issued.entries()) {
      const name = `${line.subject_request_id}${at === 0 ? '' : `-${at + 1}`}`;
      receipts.push(`receipts/${name}`);
      await add(`receipts/${name}.json`, document);
      await add(`receipts/${name}.html`, await render(document));
      if (!full) continue;
      await add(`full/${name}.json`, fullDocument);
      await add(`full/${name}.html`, await render(fullDocument));
    }
    return { line, receipts, problem: null };
  } catch (error) {
    if (!(error instanceof ReceiptRefused)) throw error;
    return { line, receipts, problem: `no receipt is signed: ${error.message}` };
  }
}

const REQUEST_COLUMNS = [
  'subject_request_id',
  'regulation',
  'status',
  'outcome',
  'submitted_time',
  'received_time',
  'expected_completion_time',
  'statutory_deadline',
  'completed_time',
  'cancelled_time',
  'receipts',
  'receipt_problem',
];

function requestCells({ line, receipts, problem }: ExportedRequest): (string | number | null)[] {
  return [
    line.subject_request_id,
    line.regulation,
    line.request_status,
    line.outcome,
    line.submitted_time,
    line.received_time,
    line.expected_completion_time,
    line.statutory_deadline,
    line.completed_time,
    line.cancelled_time,
    receipts.length,
    problem,
  ];
}

const AUDIT_COLUMNS = ['audit_no', 'time', 'actor', 'action', 'subject_request_id', 'detail'];

/** Newest first. */
async function writeAudit(
  { views }: ExportParts['store'],
  { controllerId, from, until }: ExportQuery,
  file: GrowingFile,
): Promise<void> {
  let after: number | null | undefined;
  while (after !== null) {
    const page = await views.audit({
      controllerId,
      limit: AUDIT_PAGE,
      ...(from !== undefined && { since: from }),
      ...(until !== undefined && { until }),
      ...(after !== undefined && { after }),
    });
    for (const row of page.items) {
      const { detail, ...shape } = auditRowShape(row);
      await file.write(
        csvLine([
          shape.audit_no,
          shape.time,
          shape.actor,
          shape.action,
          shape.subject_request_id,
          detail === null ? null : JSON.stringify(detail),
        ]),
      );
    }
    after = page.next;
  }
}

function receivedWords(from: string | null, until: string | null): string {
  if (from === null && until === null) return 'at any time';
  if (until === null) return `since ${from}`;
  return from === null ? `before ${until}` : `from ${from} to before ${until}`;
}
