// The time of erasing in a form that a column accepts: in UTC, with milliseconds if there is room for them.
import type { KeyLayout } from '../../../domain/target/row-layout.ts';
import type { ColumnShape } from '../catalogue.ts';

/** `time`: in the form `2026-11-15T20:00:00.000Z`. */
export function timeText({ type }: Pick<ColumnShape, 'type'>, time: string): string {
  const text = time.replace('T', ' ').replace('Z', '');
  return /^date$/i.test(type) ? text.slice(0, 10) : text;
}

interface Timed {
  readonly layout?: KeyLayout;
  readonly times?: readonly string[];
}

/** The times that the rows of these subjects got, or will get; each once. */
export function timesOf(subjects: readonly Timed[]): string[] {
  const times = subjects.flatMap(({ layout = {}, times: before = [] }) => [
    ...before,
    ...Object.values(layout).flatMap(({ time }) => time ?? []),
  ]);
  return [...new Set(times)];
}
