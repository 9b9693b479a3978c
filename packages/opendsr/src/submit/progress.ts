// A bar with rate and time left, on a terminal only.
import type { Io } from '../io.ts';

export interface Progress {
  /** `done` of them in this run and earlier ones; `waiting` says why nothing moves. */
  show(done: number, failed: number, waiting?: string): void;
  end(): void;
}

const EVERY_MS = 100;
/** The rate is that of the last seconds. */
const WINDOW_MS = 10_000;
const NONE: Progress = { show: () => undefined, end: () => undefined };

export function createProgress(io: Io, total: number, label: string, isQuiet = false): Progress {
  if (io.stderr.columns === undefined || isQuiet || total === 0) return NONE;
  const marks: { readonly time: number; readonly done: number }[] = [];
  let shown = Number.NEGATIVE_INFINITY;
  let text = '';
  let waitsFor: string | undefined;

  function draw(done: number, failed: number, now: number): void {
    marks.push({ time: now, done });
    while (marks.length > 2 && now - (marks[0]?.time ?? now) > WINDOW_MS) marks.shift();
    const [first = { time: now, done }] = marks;
    const rate = now > first.time ? ((done - first.done) * 1000) / (now - first.time) : 0;
    const left = rate > 0 ? `${timeText((total - done) / rate)} left` : '';
    const counts = `${done}/${total} ${rate.toFixed(rate < 10 ? 1 : 0)}/s ${left}`;
    const parts = [counts, ...(failed > 0 ? [`${failed} failed`] : []), waitsFor ?? ''];
    const end = parts.join(' ').trimEnd();
    const width = Math.max(
      10,
      Math.min(40, (io.stderr.columns ?? 80) - label.length - end.length - 5),
    );
    const filled = Math.round((width * done) / total);
    const line = `${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${end}`;
    // A line that is broken by the terminal cannot be written over.
    text = line.slice(0, (io.stderr.columns ?? 80) - 1);
    io.stderr.write(`\r${text}\u001b[K`);
  }

  return {
    show(done, failed, waiting) {
      const now = io.now();
      const isNews = waiting !== waitsFor || done >= total;
      if (now - shown < EVERY_MS && !isNews) return;
      shown = now;
      waitsFor = waiting;
      draw(done, failed, now);
    },
    end: () => text !== '' && io.stderr.write('\n'),
  } as Progress;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
