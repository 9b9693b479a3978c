// The types for operators who write a module: `import type { … } from 'unwrite/module'`. docs/targets-module.md
// explains them.
import type {
  CheckLine,
  Counts,
  EraseOrder,
  HoldReason,
  KeyRow,
  Keys,
  Subject,
  Verdict,
} from '../../domain/target/connector.ts';

export type { CheckLine, Counts, EraseOrder, KeyRow, Keys, Subject, Verdict };

export interface ModuleHeld {
  readonly outcome: 'held';
  readonly reason: HoldReason;
}

export interface ModuleFailed {
  readonly outcome: 'failed';
  /** Lower-case letters, digits and "_", at most 40 characters: `share_offline`. */
  readonly code: string;
}

export type ModulePreview =
  | {
      readonly outcome: 'found';
      readonly counts: Counts;
      readonly retained?: Counts;
      /** Passed back on erase and verify, and stored sealed in between. */
      readonly keys?: Keys;
      readonly sharedWith?: readonly number[];
    }
  | { readonly outcome: 'unmatched' }
  | ModuleHeld
  | ModuleFailed;

export type ModuleErasure =
  /** The person has more than was ordered: nothing was changed, and the preview is repeated. */
  | { readonly outcome: 'grown' }
  | { readonly outcome: 'erased'; readonly counts: Counts }
  | ModuleHeld
  | ModuleFailed;

export type ModuleVerdict =
  /** `reported`: it was not searched for again. */
  | { readonly outcome: 'gone'; readonly how: 'requeried' | 'reported' }
  | { readonly outcome: 'remains'; readonly counts: Counts }
  | ModuleFailed;

export interface ModuleConnector {
  check(): Promise<CheckLine[]>;
  preview(subjects: readonly Subject[]): Promise<ModulePreview[]>;
  erase(orders: readonly EraseOrder[]): Promise<ModuleErasure[]>;
  verify(orders: readonly EraseOrder[]): Promise<ModuleVerdict[]>;
  close(): Promise<void>;
}

/** The default export of a module. `options`: as in unwrite.config.yaml. */
export type CreateConnector = (
  options: Readonly<Record<string, unknown>>,
) => ModuleConnector | Promise<ModuleConnector>;
