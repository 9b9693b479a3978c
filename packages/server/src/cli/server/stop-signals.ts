// Waits until the server should stop: a signal, or the end of the npx process that started it (npx does not
// pass SIGTERM on). SIGHUP is how a service manager asks to reload; from a terminal it says that this was closed.
import { readFileSync } from 'node:fs';

const PARENT_CHECK_MS = 500;
/** Of `unwrite config reload`: also at a terminal, where a hang-up ends the server. */
export const RELOAD_SIGNAL = 'SIGUSR2';

/** Its default would end a server that is still starting; that one reads the settings anyway. */
export function ignoreReloads(): void {
  process.on(RELOAD_SIGNAL, () => undefined);
}

export function untilToldToStop(reload: () => void): Promise<NodeJS.Signals | 'parent'> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (how: NodeJS.Signals | 'parent') => {
      // A second Ctrl-C exits at once.
      if (asked && how === 'SIGINT') process.exit(130);
      asked = true;
      resolve(how);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    process.on('SIGHUP', process.stdin.isTTY ? stop : reload);
    process.on(RELOAD_SIGNAL, reload);

    if (process.env.npm_command === undefined) return;
    const ancestors = ancestry();
    const check = setInterval(() => {
      if (ancestry() === ancestors) return;
      clearInterval(check);
      stop('parent');
    }, PARENT_CHECK_MS);
    check.unref();
  });
}

/** npx runs a shell that runs us: when npx is killed outright, the shell lives on as an orphan. */
function ancestry(): string {
  return `${process.ppid} ${parentOf(process.ppid)}`;
}

/** Linux only; on other systems only the end of the shell can be noticed. */
function parentOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return fields.slice(fields.lastIndexOf(')')).split(' ')[2] ?? '';
  } catch {
    return '';
  }
}
