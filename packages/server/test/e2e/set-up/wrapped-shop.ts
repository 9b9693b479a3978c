// The shop behind a module that does something of its own around the real connector.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../src/config/config.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { startEndpoint } from '../../connectors/http/endpoint-server.ts';

/** The first of these targets, read as an operator's file is. */
export function readTarget(folder: string, targets: string): TargetConfig | undefined {
  const file = join(folder, 'inner.yaml');
  writeFileSync(file, `targets:\n${targets}`);
  return loadConfig({ config: file }, {}, folder).config.targets[0];
}

export function moduleTarget(file: URL, options: object, more = 'mode: erase'): string {
  const given = JSON.stringify(options);
  return `  shop: { connector: module, file: ${fileURLToPath(file)}, ${more}, options: ${given} }\n`;
}

export interface AskedShop {
  /** The target, in YAML. */
  readonly target: string;
  close(): Promise<void>;
}

/** `onStep` is called before each step, which begins when it has ended. */
export async function startAskedShop(
  folder: string,
  targets: string,
  onStep: (step: string) => Promise<void>,
  more?: string,
): Promise<AskedShop> {
  const endpoint = await startEndpoint(({ body }, response) => {
    void onStep(body).then(() => response.end());
  });
  const options = { target: readTarget(folder, targets), ask: endpoint.url };
  return {
    target: moduleTarget(new URL('./asking-target.ts', import.meta.url), options, more),
    close: endpoint.close,
  };
}
