// Whether Unwrite accepts the settings that a deployment gives it. Files that only that deployment has are made up.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../cli/run-here.ts';

const SECRETS: Readonly<Record<string, string>> = {
  UNWRITE_STORE_FILE: 'postgres://unwrite:secret@database/unwrite',
  UNWRITE_MASTER_KEY_FILE: Buffer.alloc(32, 7).toString('base64'),
};

/** What `unwrite config check` says about it, unknown names included. */
export async function checkSettings(
  folder: string,
  given: Readonly<Record<string, string>>,
  file: string,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const env: Record<string, string> = { ...given };
  for (const [name, text] of Object.entries(SECRETS)) {
    if (env[name] === undefined) continue;
    env[name] = join(folder, name);
    writeFileSync(env[name], text, { mode: 0o400 });
  }
  writeFileSync(join(folder, 'unwrite.config.yaml'), file);
  const data = join(folder, 'data');
  const { stdout, stderr } = await runHere(['config', 'check'], {
    env: { PATH: process.env.PATH, UNWRITE_DATA_DIR: data, ...env },
    cwd: folder,
  });
  return stdout + stderr;
}
