import { pathToFileURL } from 'node:url';
import { isObject } from '../../domain/is-object.ts';
import { Faulty, faultOf } from './module-fault.ts';
import { FUNCTIONS } from './module-messages.ts';
import type { CreateConnector, ModuleConnector } from './module-types.ts';

/** Runs the operator's own code, and says what is missing in it. */
export async function loadModule(
  file: string,
  options: Readonly<Record<string, unknown>>,
): Promise<ModuleConnector> {
  const create = await importDefault(file);
  const connector = await faultOf('create_threw', async () => create(options));
  const missing = FUNCTIONS.filter(
    (name) => !isObject(connector) || typeof connector[name] !== 'function',
  );
  if (missing.length === 0) return connector;
  throw new Faulty({ kind: 'missing', functions: missing });
}

async function importDefault(file: string): Promise<CreateConnector> {
  const loaded: { readonly default?: unknown } = await faultOf(
    'cannot_load',
    () => import(pathToFileURL(file).href),
  );
  if (typeof loaded.default === 'function') return loaded.default as CreateConnector;
  throw new Faulty({ kind: 'no_default' });
}
