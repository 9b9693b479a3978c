import type { ManualTargetConfig } from '../../domain/target/target.ts';
import { text } from '../kinds.ts';
import { readCommon, readControllers, type Undigested } from './common-fields.ts';
import type { Fields } from './fields.ts';

export function readManualTarget(name: string, target: Fields): Undigested<ManualTargetConfig> {
  return {
    ...readCommon(name, target),
    connector: 'manual',
    controllers: readControllers(target),
    instructions: target.read<string | null>('instructions', text(), null),
  };
}
