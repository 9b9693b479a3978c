// A text to filter by, which is put into the address when the person stops typing.
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { isBeginningOfId } from '../../api/request-types.ts';
import { t } from '../../words/t.ts';

const PAUSE_MS = 350;

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
}

export function FilterText(props: FilterTextProps) {
  const { label, value, onChange, className = 'sm:w-40', ...others } = props;
  const { text, setText } = useTyped(value, onChange);
  return <Field label={label} text={text} setText={setText} className={className} {...others} />;
}

/** A request id or the beginning of one. Other text is kept out of the address: it may be a person's identity. */
export function FilterId({
  value,
  onChange,
  className = 'sm:w-40',
}: Omit<FilterTextProps, 'label' | 'onFocus' | 'onBlur'>) {
  const { text, setText } = useTyped(value, onChange, isId);
  const hintId = useId();
  const isOther = !isId(text.trim());
  return (
    <div className={className}>
      <Field
        label={t('filter.id')}
        text={text}
        setText={setText}
        className="w-full"
        {...(isOther && { describedBy: hintId })}
      />
      <p id={hintId} role="status" className="text-xs text-ink-2">
        {isOther ? t('filter.id.hint') : null}
      </p>
    </div>
  );
}

const isAny = () => true;

function isId(text: string): boolean {
  return text === '' || isBeginningOfId(text);
}

function useTyped(
  value: string,
  onChange: (value: string) => void,
  accepts: (text: string) => boolean = isAny,
) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // Not a dependency of the timer: the callback is new with each render.
  const change = useEffectEvent(onChange);
  useEffect(() => {
    const typed = text.trim();
    if (typed === value || !accepts(typed)) return;
    const timer = setTimeout(() => change(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, accepts]);
  return { text, setText };
}

interface FieldProps {
  readonly label: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly className: string;
  readonly describedBy?: string;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
}

function Field({ label, text, setText, className, describedBy, ...others }: FieldProps) {
  return (
    <input
      type="search"
      aria-label={label}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      placeholder={label}
      spellCheck={false}
      autoComplete="off"
      className={`input ${className}`}
      {...others}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
