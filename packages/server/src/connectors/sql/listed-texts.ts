// Candidates for values in the items of a list: documents that have the text anywhere in them. Documents are parsed
// afterwards, so only too few would be wrong. A name that is there twice, and JSON inside a text, are found like this too.

export interface ListedTexts {
  /** As they are written inside a JSON text, with ASCII letters in lower case. */
  readonly words: readonly string[];
  /** Digits, which count only where no other digits are beside them. */
  readonly numbers: readonly string[];
}

export function listedTexts(texts: readonly string[]): ListedTexts {
  const isNumber = (text: string) => /^\d+$/.test(text);
  return {
    words: texts
      .filter((text) => !isNumber(text))
      .map((text) => JSON.stringify(text).slice(1, -1).replaceAll(/[A-Z]/g, toLower)),
    numbers: texts.filter(isNumber),
  };
}

const toLower = (letter: string) => letter.toLowerCase();
