// The console as the set-up builds it; a run of single files builds it here.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../../../scripts/build-console.mjs', import.meta.url));

export const BUILT_CONSOLE = fileURLToPath(new URL('../../../console/', import.meta.url));

export function buildConsole(): void {
  execFileSync(process.execPath, [SCRIPT], { stdio: 'ignore' });
}
