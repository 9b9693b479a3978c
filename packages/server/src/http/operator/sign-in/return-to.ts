// The page to open after signing in: one of the console, never another site.

const CONSOLE = '/console';
const PAGE = /^\/console(?:[/?#][\x21-\x5b\x5d-\x7e]{0,1000})?$/;

export function safeReturnTo(given: unknown): string {
  if (typeof given !== 'string' || !PAGE.test(given)) return CONSOLE;
  // Parsed as a browser would.
  const { origin, pathname } = new URL(given, 'http://here.invalid');
  const isHere = origin === 'http://here.invalid' && /^\/console(?:\/|$)/.test(pathname);
  return isHere ? given : CONSOLE;
}
