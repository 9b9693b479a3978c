import type {
  InputHTMLAttributes,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react';
import { useId } from 'react';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
}

function Labels({ id, label, hint, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="mt-3 first:mt-0">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  ...others
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Labels id={id} label={label} hint={hint}>
      <input
        id={id}
        className="input"
        autoComplete="off"
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...others}
      />
    </Labels>
  );
}

export function TextArea({
  label,
  hint,
  ...others
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Labels id={id} label={label} hint={hint}>
      <textarea
        id={id}
        className="input min-h-20"
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...others}
      />
    </Labels>
  );
}

interface SelectFieldProps extends Labelled, SelectHTMLAttributes<HTMLSelectElement> {
  readonly options: readonly (readonly [value: string, label: string])[];
}

export function SelectField({ label, hint, options, ...others }: SelectFieldProps) {
  const id = useId();
  return (
    <Labels id={id} label={label} hint={hint}>
      <select id={id} className="input" {...others}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labels>
  );
}

/** For a bar of filters: the label is for screen readers, and the first option names the filter. */
export function FilterSelect({
  label,
  options,
  className = 'sm:w-auto',
  ...others
}: Omit<SelectFieldProps, 'hint'>) {
  return (
    <select aria-label={label} className={`input ${className}`} {...others}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface FilterDayProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function FilterDay({ label, value, onChange }: FilterDayProps) {
  return (
    <label className="flex min-w-0 flex-col gap-x-1.5 text-sm text-ink-2 sm:flex-row sm:items-center">
      {label}
      <input
        type="date"
        // With a maximum, browsers accept four digits for the year.
        max="9999-12-31"
        className="input min-w-0 sm:w-auto"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
