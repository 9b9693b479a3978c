// When to stop: a signal, or the death of the npx that started us (npx does not pass SIGTERM on).

const PARENT_CHECK_MS = 500;

export function untilToldToStop(): Promise<NodeJS.Signals | 'parent'> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (how: NodeJS.Signals | 'parent') => {
      // A second Ctrl-C means it.
      if (asked && how === 'SIGINT') process.exit(130);
      asked = true;
      resolve(how);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    process.on('SIGHUP', stop);

    if (process.env.npm_command === undefined) return;
    const parent = process.ppid;
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      stop('parent');
    }, PARENT_CHECK_MS);
    check.unref();
  });
}
