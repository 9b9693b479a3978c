// Vitest's global set-up: at the end of a run without a browser it says so, so that no run passes silently without.
import { CHROMIUM } from './chromium.ts';

export default function reportBrowser(): () => void {
  return () => {
    if (CHROMIUM !== undefined) return;
    console.warn(
      "\nNot tested: the console in a browser, because there is no Chromium. Install Debian's package chromium, or name one with UNWRITE_TEST_CHROMIUM.",
    );
  };
}
