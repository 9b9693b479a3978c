// The lines of a journal. It holds ids and outcomes, and nothing of the people.

/** What a run is bound to: another file, processor or way of reading would send other requests under the same ids. */
export interface JournalHeader {
  readonly opendsr: 'journal';
  readonly version: 1;
  /** Random, so that the digest of a small file says less about who is in it. */
  readonly salt: string;
  readonly digest: string;
  readonly base_url: string;
  readonly client_id: string;
  /** How the file is read, and what is sent for all. */
  readonly reading: string;
  /** For people whose line has none: the time of the first run. */
  readonly submitted_time: string | null;
}

/** Ids for the people from this number on, written and synced before the first of them is sent. */
export interface IdsLine {
  readonly from: number;
  readonly ids: readonly string[];
}

export type Outcome =
  | {
      readonly outcome: 'created' | 'stored_before';
      readonly expected_completion_time: string;
    }
  | { readonly outcome: 'failed'; readonly code: string; readonly status: number | null }
  | { readonly outcome: 'invalid' };

export type OutcomeLine = { readonly number: number; readonly line: number } & Outcome;

export const isSubmitted = ({ outcome }: Outcome) =>
  outcome === 'created' || outcome === 'stored_before';

export function readLine(text: string): JournalHeader | IdsLine | OutcomeLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as IdsLine) : undefined;
  } catch {
    return undefined;
  }
}
