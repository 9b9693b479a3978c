// When the server does not answer, several parts of a page fail alike: only the first of them on the page says so.
import { type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react';

interface Told {
  readonly element: () => HTMLElement | null;
  readonly words: string;
  readonly decide: () => void;
}

const all = new Set<Told>();

/** A dialog covers the page, so a message under it would not be seen. */
const scopeOf = (element: HTMLElement | null) => element?.closest('[role="dialog"], main');

function isBefore(one: HTMLElement | null, other: HTMLElement | null): boolean {
  if (one === null || other === null || scopeOf(one) !== scopeOf(other)) return false;
  return (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

export function useToldOnce(words: string) {
  const here = useRef<HTMLElement>(null);
  const [isFirst, setFirst] = useState(true);
  const place: RefCallback<HTMLElement> = useCallback((element) => {
    if (element !== null) here.current = element;
  }, []);
  useLayoutEffect(() => {
    const own: Told = {
      element: () => here.current,
      words,
      decide: () =>
        setFirst(
          ![...all].some((it) => it.words === words && isBefore(it.element(), here.current)),
        ),
    };
    all.add(own);
    for (const { decide } of all) decide();
    return () => {
      all.delete(own);
      for (const { decide } of all) decide();
    };
  }, [words]);
  return { place, isFirst };
}
