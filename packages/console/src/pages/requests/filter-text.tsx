// A text to filter by: it goes into the address when somebody stops typing.
import { useEffect, useState } from 'react';

const PAUSE_MS = 350;

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
}

export function FilterText({ label, value, onChange, className = 'sm:w-40' }: FilterTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      spellCheck={false}
      autoComplete="off"
      className={`input ${className}`}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
