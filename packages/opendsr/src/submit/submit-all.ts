// Sends people to the processor, some at a time, and writes down how each ended.
import { type ErasureClient, ErasureError } from '@unwrite/client';
import type { Person } from '../people/read-people.ts';
import { createStopRule } from '../stop-rule.ts';
import type { Journal } from './journal.ts';
import { isSubmitted, type Outcome } from './journal-lines.ts';

export interface SubmitRun {
  readonly people: AsyncGenerator<Person>;
  readonly journal: Journal;
  readonly client: ErasureClient;
  readonly concurrency: number;
  /** No one else is sent once it is aborted; those who are on their way are waited for. */
  readonly stop: AbortSignal;
  /** Ends that wait too: how they ended is then not known, and the next run finds out. */
  readonly cut: AbortSignal;
  onOutcome(person: Person, outcome: Outcome, error: ErasureError | undefined): void;
  /** Of an earlier run. */
  onKnown(): void;
}

/** Undefined if all people were gone through; otherwise why not. */
export async function submitAll(run: SubmitRun): Promise<string | undefined> {
  const { people, journal, concurrency } = run;
  const end = new AbortController();
  const stop = AbortSignal.any([run.stop, end.signal]);
  const rule = createStopRule(concurrency);

  async function work(): Promise<void> {
    try {
      while (!stop.aborted) {
        const next = await people.next();
        if (next.done) return;
        const person = next.value;
        if (journal.isSubmitted(person.number)) {
          rule.succeeded();
          run.onKnown();
        } else await submitOne(person);
      }
    } catch (error) {
      end.abort();
      throw error;
    }
  }

  async function submitOne(person: Person): Promise<void> {
    const result = await outcomeOf(person);
    if (result === undefined) return;
    const { outcome, error } = result;
    await journal.add({ number: person.number, line: person.line, ...outcome });
    run.onOutcome(person, outcome, error);
    if (error !== undefined && rule.failed(error)) end.abort(error.message);
    if (isSubmitted(outcome)) rule.succeeded();
  }

  async function outcomeOf(
    person: Person,
  ): Promise<{ readonly outcome: Outcome; readonly error?: ErasureError } | undefined> {
    if ('problem' in person) return { outcome: { outcome: 'invalid' } };
    const id = await journal.idOf(person.number);
    try {
      // The id is random and was written down for this person alone: if the processor has it, it has this request.
      const submitted = await run.client.submit(
        { ...person.request, subject_request_id: id },
        { mayBeStored: true, signal: run.cut },
      );
      const { expected_completion_time: time } = submitted.answer.body;
      const isTime = /^[\w:.+-]{1,40}$/.test(String(time));
      const { outcome } = submitted;
      return { outcome: { outcome, expected_completion_time: isTime ? time : '' } };
    } catch (error) {
      if (run.cut.aborted) return undefined;
      if (!(error instanceof ErasureError)) throw error;
      const { code, status = null } = error;
      return { outcome: { outcome: 'failed', code, status }, error };
    }
  }

  const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
  for (const it of ends) if (it.status === 'rejected') throw it.reason;
  // Ends the generator, and with it the reading of the file.
  await people.return(undefined);
  return stop.aborted ? String(stop.reason) : undefined;
}
