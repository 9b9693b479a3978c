import type { Recipe } from '../../domain/recipe/recipe.ts';
import { type CheckLine, TargetDown } from '../../domain/target/connector.ts';
import type { RestTargetConfig } from '../../domain/target/target.ts';
import { CannotDeal } from '../objects-connector.ts';
import type { Service } from './service.ts';

/** With the credentials of another account everybody would be absent. */
export async function proveAccount(service: Service, { account }: Recipe): Promise<void> {
  const { call, is } = account;
  try {
    await service.ask({ call, values: {} }, { is });
  } catch (error) {
    if (!(error instanceof CannotDeal)) throw error;
    throw new TargetDown(
      'wrong_account',
      `${service.host} does not say that this is the account that the settings mean; correct "settings" and "secrets" of the target`,
    );
  }
}

export async function checkService(
  { recipe, isShared, mode }: RestTargetConfig,
  service: Service,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const add = (level: CheckLine['level'], subject: string, message: string) =>
    lines.push({ level, subject, message });
  try {
    await proveAccount(service, recipe);
    add('ok', 'account', `${service.host} is the account that the settings mean`);
  } catch (error) {
    if (!(error instanceof TargetDown)) throw error;
    add('problem', 'account', error.message);
  }
  if (isShared)
    add(
      'note',
      'tenancy',
      `people of all controllers are looked for in one account of ${recipe.service}: it erases a person whom one of them asks for, also where it holds data for another`,
    );
  if (mode === 'erase')
    add(
      'note',
      'mode',
      `the recipe ${recipe.name} was written from ${recipe.documents.join(' and ') || `what is known of ${recipe.service}`}; have you seen it erase a person whom you made there for that?`,
    );
  for (const left of recipe.leaves) add('note', 'leaves', left);
  for (const back of recipe.comesBack) add('note', 'comes_back', back);
  return lines;
}
