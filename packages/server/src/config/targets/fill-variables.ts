// `${NAME}` in a target's texts: from the environment, or from the file that NAME_FILE names.
import { readFileSync } from 'node:fs';
import { isObject } from '../../domain/is-object.ts';
import type { Environment } from '../setting.ts';
import type { Problems } from './fields.ts';

const VARIABLE = /\$\$\{|\$\{([^}]*\}?)/g;
const NAME = /^([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The same value with all variables in it filled in; `$${` is a plain `${`. */
export function fillVariables(
  value: unknown,
  place: string,
  environment: Environment,
  problems: Problems,
): unknown {
  if (typeof value === 'string') return fillText(value, place, environment, problems);
  if (Array.isArray(value)) {
    return value.map((item, i) => fillVariables(item, `${place}[${i}]`, environment, problems));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      fillVariables(item, `${place}.${name}`, environment, problems),
    ]),
  );
}

function fillText(
  text: string,
  place: string,
  environment: Environment,
  problems: Problems,
): string {
  return text.replaceAll(VARIABLE, (whole, rest: string | undefined) => {
    if (whole === '$${') return '${';
    try {
      return lookUp(rest ?? '', environment);
    } catch (error) {
      problems.giveUp(place, (error as Error).message);
      return '';
    }
  });
}

/** `rest`: the text after `${`. */
function lookUp(rest: string, environment: Environment): string {
  const name = NAME.exec(rest)?.[1];
  if (name === undefined) {
    throw new Error('has a "$" and "{" without a variable\'s name and "}"; a plain one has "$$"');
  }
  const value = environment[name];
  const file = environment[`${name}_FILE`];
  if (value) return value;
  if (!file) throw new Error(`the variable ${name} is not set; set it, or ${name}_FILE to a file`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new Error(`the file that ${name}_FILE names cannot be read (${reason})`);
  }
}
