/** The operating system's error code, such as ECONNREFUSED; never the message, which may quote data. */
export function networkCode(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? ` (${code})` : '';
}
