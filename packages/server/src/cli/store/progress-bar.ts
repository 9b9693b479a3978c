// A progress line on standard error, on a terminal only.
const WIDTH = 28;
const REDRAW_MS = 100;

export interface ProgressBar {
  /** `all`: undefined where it is not known. */
  show(label: string, done: number, all: number | undefined): void;
  /** Clears the line. */
  end(): void;
}

export function createProgressBar(
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
): ProgressBar {
  if (!out.isTTY) return { show: () => undefined, end: () => undefined };
  let drawn: number | undefined;
  let step = { name: '', began: 0, from: 0 };

  return {
    show(label, done, all) {
      const name = label.split(' ', 1)[0] ?? '';
      if (name !== step.name) step = { name, began: now(), from: done };
      else if (drawn !== undefined && now() - drawn < REDRAW_MS && done !== all) return;
      drawn = now();
      const rate = ((done - step.from) / Math.max(1, now() - step.began)) * 1000;
      const speed = rate > 0 ? `  ${grouped(rate)}/s` : '';
      const progress =
        all === undefined
          ? `${grouped(done)} rows${speed}`
          : `${barOf(done, all)} ${grouped(done)} of ${grouped(all)} rows${speed}`;
      const left = rate > 0 && all !== undefined ? `  ${leftOf((all - done) / rate)}` : '';
      out.write(`\r\x1b[2K${label.padEnd(27)} ${progress}${left}`);
    },
    end() {
      if (drawn !== undefined) out.write('\r\x1b[2K');
      drawn = undefined;
    },
  };
}

function barOf(done: number, all: number): string {
  const filled = all === 0 ? WIDTH : Math.min(WIDTH, Math.floor((done / all) * WIDTH));
  return '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
}

function grouped(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function leftOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)}s left`;
  return `${Math.ceil(seconds / 60)} min left`;
}
