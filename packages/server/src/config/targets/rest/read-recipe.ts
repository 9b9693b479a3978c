// Reads a recipe: one of those that come with Unwrite, by its name, or a file of the operator's.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { didYouMean } from '../../../domain/did-you-mean.ts';
import { fillText, type Values } from '../../../domain/recipe/placeholders.ts';
import type { Recipe, RecipeAuth } from '../../../domain/recipe/recipe.ts';
import { packageFile } from '../../../files/own-files.ts';
import { text, wholeNumber } from '../../kinds.ts';
import { lineOfProblem } from '../../place-in-file.ts';
import { createProblems, type Fields, readFields } from '../fields.ts';
import { readNames } from '../read-names.ts';
import { readAnswers, readCall, refuseUnknownPlaceholders } from './read-call.ts';
import { readObjects } from './read-objects.ts';

const SHIPPED = /^[a-z][a-z0-9-]*$/;
/** Nothing else can be sent in one. */
const HEADER = /^[\x20-\x7e]*$/;
const FIELDS = [
  'service',
  'documents',
  'settings',
  'secrets',
  'origin',
  'auth',
  'calls_per_minute',
  'account',
  'objects',
  'leaves',
  'comes_back',
];

export interface RecipeNames {
  readonly settings: Values;
  readonly secrets: Values;
}

/** Undefined after a problem with the file as a whole. */
export function readRecipe(
  target: Fields,
  name: string,
  directory: string,
  given: RecipeNames,
): Recipe | undefined {
  const isShipped = SHIPPED.test(name);
  const file = isShipped ? packageFile(`recipes/${name}.yaml`) : resolve(directory, name);
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    target.problem(
      'recipe',
      isShipped
        ? `there is no recipe ${name}${didYouMean(name, shipped())}; docs/targets-rest.md lists them, and a file of your own is ./${name}.yaml`
        : `${file} cannot be read (${reason}); paths start at the configuration file's folder`,
    );
    return undefined;
  }
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    target.problem('recipe', `${name}: ${broken.message.split('\n')[0]}`);
    return undefined;
  }
  const problems = createProblems();
  const recipe = readFields(document.toJS(), 'recipe', problems);
  const digest = createHash('sha256').update(source).digest('hex');
  const read = readParts(recipe, given);
  for (const problem of problems.list) {
    const inFile = problem.replace(/^recipe\./, '');
    const line = lineOfProblem(inFile, document.contents, lines);
    target.problem('recipe', `${name}${line === undefined ? '' : `:${line}`}: ${inFile}`);
  }
  refuseWrongNames(target, 'settings', given.settings, recipe);
  refuseWrongNames(target, 'secrets', given.secrets, recipe);
  return { name, digest, ...read };
}

function readParts(recipe: Fields, { settings, secrets }: RecipeNames) {
  recipe.refuseOthersThan(FIELDS);
  const known = recipe.has('settings') ? readNames(recipe, 'settings') : [];
  // Names without a value are a problem of the target, and known here.
  const all = { ...Object.fromEntries(known.map((name) => [name, ''])), ...settings };
  const account = recipe.below('account');
  account.refuseOthersThan(['call', 'is']);
  return {
    service: recipe.need('service', text(), ''),
    documents: readNames(recipe, 'documents'),
    origin: readOrigin(recipe, all),
    auth: readAuth(recipe, secrets),
    pause: 60_000 / recipe.read('calls_per_minute', wholeNumber(1, 60_000), 60),
    account: {
      call: readCall(account, 'call', all, []),
      is: readAnswers(account, 'is', all),
    },
    objects: readObjects(recipe, all),
    leaves: readNames(recipe, 'leaves'),
    comesBack: readNames(recipe, 'comes_back'),
  };
}

function readOrigin(recipe: Fields, settings: Values): string {
  const written = recipe.need('origin', text(), '');
  refuseUnknownPlaceholders(recipe, 'origin', written, Object.keys(settings));
  const filled = fillText(written, settings);
  const isComplete = Object.values(settings).every((value) => value !== '');
  const isOrigin = URL.canParse(filled) && new URL(filled).origin === filled;
  if (isComplete && !isOrigin)
    recipe.problem(
      'origin',
      'must be an address without a path, such as https://{subdomain}.example.com',
    );
  return filled;
}

function readAuth(recipe: Fields, secrets: Values): RecipeAuth {
  const auth = recipe.below('auth');
  auth.refuseOthersThan(['bearer', 'basic', 'headers', 'query']);
  const declared = recipe.has('secrets') ? readNames(recipe, 'secrets') : [];
  refuseUnknownPlaceholders(recipe, 'auth', auth.values, declared);
  const filled = (text_: string) => fillText(text_, secrets);
  const headers: Record<string, string> = {};
  if (auth.has('bearer'))
    headers.authorization = `Bearer ${filled(auth.read('bearer', text(), ''))}`;
  if (auth.has('basic')) {
    const basic = auth.below('basic');
    basic.refuseOthersThan(['username', 'password']);
    const pair = [basic.need('username', text(), ''), basic.need('password', text(), '')].map(
      filled,
    );
    headers.authorization = `Basic ${Buffer.from(pair.join(':')).toString('base64')}`;
  }
  const more = auth.below('headers');
  for (const name of Object.keys(more.values))
    headers[name.toLowerCase()] = filled(more.read(name, text(), ''));
  if (!Object.values(headers).every((value) => HEADER.test(value)))
    recipe.problem('auth', 'a secret has a line break, or another sign that no header can have');
  const query = auth.below('query');
  const parameters = Object.keys(query.values).map((name) => [
    name,
    filled(query.read(name, text(), '')),
  ]);
  return { headers, query: Object.fromEntries(parameters) };
}

function refuseWrongNames(
  target: Fields,
  part: 'settings' | 'secrets',
  given: Values,
  recipe: Fields,
): void {
  const wanted = recipe.has(part) ? recipe.items(part).map(String) : [];
  const own = target.below(part);
  own.refuseOthersThan(wanted);
  for (const name of wanted.filter((one) => !Object.hasOwn(given, one)))
    own.problem(name, 'is missing: the recipe needs it');
}

const shipped = () => readdirSync(packageFile('recipes/')).map((file) => file.replace('.yaml', ''));
