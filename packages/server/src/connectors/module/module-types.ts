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
  /** Small letters, digits and "_", at most 40 of them: `share_offline`. */
  readonly code: string;
}

export type ModulePreview =
  | {
      readonly outcome: 'found';
      readonly counts: Counts;
      readonly retained?: Counts;
      /** Given back on erase and verify, and sealed in between. */
      readonly keys?: Keys;
      readonly sharedWith?: readonly number[];
    }
  | { readonly outcome: 'unmatched' }
  | ModuleHeld
  | ModuleFailed;

export type ModuleErasure =
  /** More belongs to the person than was ordered: nothing was touched, and the preview is asked again. */
  | { readonly outcome: 'grown' }
  | { readonly outcome: 'erased'; readonly counts: Counts }
  | ModuleHeld
  | ModuleFailed;

export type ModuleVerdict =
  /** `reported`: it was not looked for again. */
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

/** The default export of a module. `options`: as they stand in unwrite.config.yaml. */
export type CreateConnector = (
  options: Readonly<Record<string, unknown>>,
) => ModuleConnector | Promise<ModuleConnector>;
