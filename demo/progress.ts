// A line that moves on a terminal, and stays quiet elsewhere.
const WIDTH = 32;

export function showProgress(label: string, done: number, all: number): void {
  if (!process.stdout.isTTY) return;
  const filled = Math.round((done / all) * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  process.stdout.write(`\r  ${label.padEnd(12)} ${bar} ${done}/${all}`);
  if (done === all) process.stdout.write('\n');
}

export function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
