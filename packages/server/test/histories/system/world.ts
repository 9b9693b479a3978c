// What the targets really hold, and everything that Unwrite ever asked of them. The rows are the truth that
// statuses, evidence and receipts are compared with.
import type { EraseOrder, Subject } from '../../../src/domain/target/connector.ts';

export type Verb = 'resolve' | 'preview' | 'erase' | 'verify';

export const FAULTS = [
  'none',
  /** Not reachable at all. */
  'down',
  /** Gone after it has erased. */
  'down after erasing',
  /** Throws what is not a TargetDown. */
  'throws',
  /** Has a problem of structure. */
  'refused',
  /** Erases nothing, and says so for each subject. */
  'fails',
  /** Says that it has erased; the rows stay. */
  'lies',
  /** Erases a part, then throws; a database takes it back. */
  'half',
  /** Erases, and says that it has failed; a database takes it back. */
  'erases and fails',
  /** Answers for no subject. */
  'short',
  /** Wants a person to decide. */
  'holds',
  /** Another row comes between the preview and the erasing. */
  'grows',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Row {
  readonly id: string;
  readonly target: string;
  readonly controllerId: string;
  readonly email: string;
  readonly born: number;
  /** When it went, and by which task; null: by somebody else. */
  gone: { readonly at: number; readonly taskNo: number | null } | undefined;
}

export interface Call {
  readonly at: number;
  readonly verb: Verb;
  readonly target: string;
  /** Its address and tables. */
  readonly place: string;
  readonly taskNo: number;
  readonly request: string;
  readonly emails: readonly string[];
  readonly rowIds: readonly string[];
}

export const requestName = (of: {
  readonly controllerId: string;
  readonly subjectRequestId: string;
}) => `${of.controllerId} ${of.subjectRequestId}`;

export function createWorld() {
  const rows: Row[] = [];
  const calls: Call[] = [];
  const faults = new Map<string, Fault>();
  /** Where answers were not true, or rows went otherwise, evidence is only what a target has said. */
  const lied = new Set<string>();
  let events = 0;
  const matches = ({ controllerId, identities }: Subject, target: string) => {
    const emails = emailsOf(identities);
    return rows.filter(
      (row) =>
        row.gone === undefined &&
        row.target === target &&
        row.controllerId === controllerId &&
        emails.includes(row.email),
    );
  };

  return {
    rows,
    calls,
    faults,
    lied,
    committed: new Set<string>(),
    transactions: 0,
    matches,
    faultOf: (target: string): Fault => faults.get(target) ?? 'none',
    now: () => events,
    add(target: string, controllerId: string, email: string): Row {
      const id = `row ${rows.length + 1}`;
      const row: Row = { id, target, controllerId, email, born: ++events, gone: undefined };
      rows.push(row);
      return row;
    },
    remove(row: Row, taskNo: number | null): void {
      row.gone ??= { at: ++events, taskNo };
    },
    noteCalls(
      verb: Verb,
      { target, place }: Pick<Call, 'target' | 'place'>,
      subjects: readonly (Subject | EraseOrder)[],
    ): void {
      for (const subject of subjects) {
        calls.push({
          at: ++events,
          verb,
          target,
          place,
          taskNo: subject.taskNo,
          request: requestName(subject),
          emails: emailsOf(subject.identities),
          rowIds: 'keys' in subject ? idsOf(subject) : [],
        });
      }
    },
  };
}

export type World = ReturnType<typeof createWorld>;

export function emailsOf(identities: Subject['identities']): string[] {
  return identities.filter(({ type }) => type === 'email').map((it) => it.reveal());
}

export const TABLE = 'customers';

export function idsOf({ keys }: Pick<EraseOrder, 'keys'>): string[] {
  return (keys[TABLE] ?? []).map(([id]) => String(id));
}
