// The messages between Unwrite and the process of a module: one call at a time, one answer for each call.
import type { AnyType } from '../../domain/request/identity.ts';
import type { Subject } from '../../domain/target/connector.ts';

export const FUNCTIONS = ['check', 'preview', 'erase', 'verify', 'close'] as const;
export type ModuleFunction = (typeof FUNCTIONS)[number];

export interface SentIdentity {
  readonly type: AnyType;
  readonly value: string;
}

/** A subject, or an order, with its identities as plain data. */
export type SentSubject = Omit<Subject, 'identities' | 'lookedUp' | 'unproven'> & {
  readonly identities: readonly SentIdentity[];
  readonly lookedUp?: readonly SentIdentity[];
};

/** The id of the first message: the process has started. */
export const READY = 'ready';

export type ModuleTask =
  | {
      readonly call: 'create';
      readonly file: string;
      readonly options: Readonly<Record<string, unknown>>;
    }
  | { readonly call: ModuleFunction; readonly subjects: readonly SentSubject[] };

export type ModuleCall = ModuleTask & {
  /** The answer repeats it, because a module may send messages of its own. */
  readonly id: string;
  /** Milliseconds after which the process ends itself if it was not ended before. */
  readonly limit: number;
};

/** Contains no text of the module, which may quote data. */
export type ModuleFault =
  | { readonly kind: 'cannot_load' | 'create_threw' | 'threw'; readonly thrown: string }
  | { readonly kind: 'no_default' | 'too_large' }
  | { readonly kind: 'missing'; readonly functions: readonly string[] };

/** `json`: what the function returned; missing if it returned nothing. */
export type ModuleAnswer = { readonly id: string } & (
  | { readonly json?: string }
  | { readonly fault: ModuleFault }
);
