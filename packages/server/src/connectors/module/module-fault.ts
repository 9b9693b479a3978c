// What is wrong with a module, in our own words on both sides: a text of the module may quote data.
import { isObject } from '../../domain/is-object.ts';
import { TargetDown } from '../../domain/target/connector.ts';
import { FUNCTIONS, type ModuleFault, type ModuleFunction } from './module-messages.ts';

const CLASS = /^[A-Za-z_$][\w$]{0,60}$/;

/** Thrown in the module's process. */
export class Faulty extends Error {
  readonly fault: ModuleFault;

  constructor(fault: ModuleFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

export async function faultOf<T>(
  kind: 'cannot_load' | 'create_threw' | 'threw',
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Faulty({ kind, thrown: classOf(error) });
  }
}

/** Names at most the class of the thrown error. */
function classOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.constructor.name : typeof error;
  return typeof name === 'string' && CLASS.test(name) ? name : 'unknown';
}

/** Used on our side, which trusts nothing that the process says. */
export function moduleDown(
  fault: unknown,
  call: 'create' | ModuleFunction,
  file: string,
): TargetDown {
  const { kind, thrown, functions } = isObject(fault) ? fault : {};
  const known = typeof thrown === 'string' && CLASS.test(thrown) ? thrown : 'unknown';
  const missing = FUNCTIONS.filter((name) => Array.isArray(functions) && functions.includes(name));
  switch (kind) {
    case 'cannot_load':
      return error(`${file} cannot be loaded; \`node ${file}\` shows why (${known})`);
    case 'no_default':
      return error(
        `${file} has no function createConnector(options) as its default export; add one`,
      );
    case 'create_threw':
      return error(`createConnector of ${file} threw; look at options of the target (${known})`);
    case 'missing':
      return error(
        `createConnector of ${file} must return an object of functions; missing: ${missing.join(', ')}`,
      );
    case 'too_large':
      return new TargetDown(
        'answer_too_large',
        `${call} of ${file} returned too much; return only what is documented, or lower batch_size`,
      );
    default:
      return error(`${call} of ${file} threw (${known})`);
  }
}

function error(message: string): TargetDown {
  return new TargetDown('module_error', message);
}
