const LOOK_MS = 25;
const MAX_PAUSE_MS = 200;

/** Asks again and again, where nobody tells; throws when it takes too long. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  otherwise: () => string,
  withinMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const asked = performance.now();
    if (await isSo()) return;
    if (Date.now() > deadline) throw new Error(otherwise());
    // A question that takes long, such as a command, leaves the processor to what is waited for.
    const pause = Math.max(LOOK_MS, 2 * (performance.now() - asked));
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, MAX_PAUSE_MS)));
  }
}
