import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ModuleTargetConfig } from '../../domain/target/target.ts';
import { duration, text } from '../kinds.ts';
import { readCommon, readControllers, type Undigested } from './common-fields.ts';
import type { Fields } from './fields.ts';

export const moduleTimeout = duration('1s', '1h');

export function readModuleTarget(
  name: string,
  target: Fields,
  directory: string,
): Undigested<ModuleTargetConfig> {
  return {
    ...readCommon(name, target),
    connector: 'module',
    controllers: readControllers(target),
    file: readFile(target, directory),
    options: target.below('options').values,
    timeout: target.read('timeout', moduleTimeout, 300) * 1000,
  };
}

function readFile(target: Fields, directory: string): string {
  const given = target.need('file', text(), '');
  if (given === '') return '';
  const file = resolve(directory, given);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    target.problem(
      'file',
      `there is no file ${file}; paths start at the configuration file's folder`,
    );
  }
  return file;
}
