// A generated case of several targets that one request is erased at, some of which look identities up for all of them.
import type {
  Change,
  Configuration,
  DatabaseName,
  GeneratedRequest,
  GivenIdentity,
  Rows,
  Table,
} from '../generated-case.ts';

export interface PlacedTable extends Table {
  /** Of the case's databases. */
  readonly place: number;
}

export interface SeveralTarget {
  readonly name: string;
  readonly place: number;
  readonly configuration: Configuration;
  /** `after`: names of targets. */
  readonly after: readonly string[];
  /** Written as statements: its tables have one column to match, and no `via`. */
  readonly isByHand: boolean;
}

export type Fault =
  | 'none'
  | 'killed after the intent'
  | 'killed before erasing'
  | 'killed after erasing'
  | 'killed after verifying'
  /** It cannot be worked with. */
  | 'down'
  /** The other targets cannot be asked for what they have looked up. */
  | 'others down';

export type Step =
  | {
      readonly does: 'run';
      /** Of the targets that have something to do. */
      readonly pick: number;
      readonly fault: Fault;
      /** After the preview and before the erasing transaction. */
      readonly between: readonly Change[];
      /** After the erasing transaction and before the verification. */
      readonly afterwards: readonly Change[];
      /** Another target works in between, if it has something to do: of those, which. */
      readonly meanwhile: number | null;
    }
  | { readonly does: 'change'; readonly changes: readonly Change[] }
  | { readonly does: 'release' }
  | { readonly does: 'retain' }
  | { readonly does: 'identify'; readonly request: number; readonly identity: GivenIdentity }
  | { readonly does: 'receive'; readonly request: number }
  | { readonly does: 'wait' };

export interface SeveralCase {
  readonly database: DatabaseName;
  readonly tables: readonly PlacedTable[];
  readonly rows: Rows;
  readonly targets: readonly SeveralTarget[];
  readonly requests: readonly GeneratedRequest[];
  readonly steps: readonly Step[];
}

export const QUIET_RUN = {
  does: 'run',
  pick: 0,
  fault: 'none',
  between: [],
  afterwards: [],
  meanwhile: null,
} as const satisfies Step;
