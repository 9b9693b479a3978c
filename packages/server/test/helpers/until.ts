const LOOK_MS = 25;

/** Asks again and again, where nobody tells; throws when it takes too long. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  otherwise: () => string,
  withinMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(otherwise());
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
