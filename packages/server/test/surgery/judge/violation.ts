export interface Violation {
  readonly kind: 'harm' | 'lie' | 'unable';
  /** Of the tries, from 0 on. */
  readonly tryNo: number;
  /** Stable while a case is made smaller, so that it stays the same finding. */
  readonly rule: string;
  readonly detail: string;
}
