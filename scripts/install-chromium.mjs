// The console's tests drive a real browser, and no npm package brings one without a script that downloads it.
import { canInstall, installPackages, isThere } from './apt-get.mjs';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

export function installChromium() {
  if (process.env.UNWRITE_TEST_CHROMIUM || PROGRAMS.some(isThere)) return;
  if (canInstall()) return installPackages(['chromium'], 'tests of the console need a browser');
  console.log(
    'Set-up: there is no Chromium here, so tests of the console in a browser are skipped. Install the package chromium, or name a browser with UNWRITE_TEST_CHROMIUM=/path/to/chrome.',
  );
}
