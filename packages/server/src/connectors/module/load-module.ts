import { pathToFileURL } from 'node:url';
import { TargetDown } from '../../domain/target/connector.ts';
import type { ModuleTargetConfig } from '../../domain/target/target.ts';
import { isRecord } from '../read-reported.ts';
import { moduleError } from './module-error.ts';
import type { CreateConnector, ModuleConnector } from './module-types.ts';

const FUNCTIONS = ['check', 'preview', 'erase', 'verify', 'close'] as const;

/** Runs the operator's own code, and says what is missing in it. */
export async function loadModule({ file, options }: ModuleTargetConfig): Promise<ModuleConnector> {
  const connector = await (await importDefault(file))(options);
  const missing = FUNCTIONS.filter(
    (name) => !isRecord(connector) || typeof connector[name] !== 'function',
  );
  if (missing.length === 0) return connector;
  throw new TargetDown(
    'module_error',
    `createConnector of ${file} must return an object of functions; missing: ${missing.join(', ')}`,
  );
}

async function importDefault(file: string): Promise<CreateConnector> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    throw moduleError(error, `${file} cannot be loaded; \`node ${file}\` shows why`);
  }
  if (typeof loaded.default === 'function') {
    const create = loaded.default as CreateConnector;
    return async (options) => {
      try {
        return await create(options);
      } catch (error) {
        throw moduleError(error, `createConnector of ${file} threw; look at options of the target`);
      }
    };
  }
  throw new TargetDown(
    'module_error',
    `${file} has no function createConnector(options) as its default export; add one`,
  );
}
