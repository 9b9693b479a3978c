// Walks over the tokens of a trigger. If a token is not what a rule expects, the trigger is not understood.
import { NotUnderstood, type Token } from './trigger-tokens.ts';

/** Words that are not names unless they are quoted; the server itself reserves most of them. */
const RESERVED = new Set(
  `ADD ALL ALTER ANALYZE AND AS ASC BEFORE BEGIN BETWEEN BINARY BY CALL CASE CHANGE CHECK COLLATE CONDITION CONSTRAINT
   CONTINUE CONVERT CREATE CROSS CURSOR DECLARE DEFAULT DELAYED DELETE DESC DISTINCT DISTINCTROW DIV DO DROP
   DUMPFILE EACH ELSE ELSEIF END ESCAPE EXCEPT EXECUTE EXISTS EXIT EXPLAIN FETCH FOR FORCE FOREIGN FROM FULLTEXT
   GRANT GROUP HANDLER HAVING HIGH_PRIORITY IF IGNORE IN INDEX INNER INSERT INTERSECT INTERVAL INTO IS ITERATE JOIN
   KEY KEYS KILL LEAVE LEFT LIKE LIMIT LOAD LOCK LOOP LOW_PRIORITY MATCH MOD MODIFIES NATURAL NEXT NOT ON OPTIMIZE
   OR ORDER OUTER OUTFILE OVER PARTITION PORTION PREVIOUS PRIMARY PROCEDURE PURGE QUICK READS REGEXP RELEASE RENAME
   REPEAT REPLACE REQUIRE RESIGNAL RESTRICT RETURN RETURNING REVOKE RIGHT RLIKE SELECT SEPARATOR SET SHOW SIGNAL
   STATEMENT STRAIGHT_JOIN TABLE THEN TO TRIGGER UNDO UNION UNIQUE UNLOCK UPDATE USE USING VALUES WHEN WHERE WHILE
   WINDOW WITH WRITE XOR`
    .trim()
    .split(/\s+/),
);

export interface TokenCursor {
  isAtEnd(): boolean;
  isWord(...words: readonly string[]): boolean;
  isSign(...signs: readonly string[]): boolean;
  isLiteral(): boolean;
  isName(): boolean;
  /** Whether one of them was next; if so, moves past it. */
  takeWord(...words: readonly string[]): boolean;
  takeSign(...signs: readonly string[]): boolean;
  /** All of them in this order, or none. */
  takeWords(...words: readonly string[]): boolean;
  takeLiteral(): boolean;
  expectWord(...words: readonly string[]): void;
  expectSign(sign: string): void;
  name(): string;
  /**
   * Moves past a word that is directly followed by an opening bracket; undefined if something else is next.
   */
  takeCalled(): { readonly text: string; readonly upper: string } | undefined;
  notUnderstood(): NotUnderstood;
}

export function createTokenCursor(tokens: readonly Token[]): TokenCursor {
  let at = 0;
  const wordAt = (place: number) => {
    const token = tokens[place];
    return token?.kind === 'word' ? token : undefined;
  };
  const cursor: TokenCursor = {
    isAtEnd: () => at >= tokens.length,
    isWord: (...words) => words.includes(wordAt(at)?.upper ?? ''),
    isSign(...signs) {
      const token = tokens[at];
      return token?.kind === 'sign' && signs.includes(token.text);
    },
    isLiteral: () => tokens[at]?.kind === 'literal',
    isName: () => tokens[at]?.kind === 'name' || !RESERVED.has(wordAt(at)?.upper ?? 'ALL'),
    takeWord: (...words) => passed(cursor.isWord(...words)),
    takeSign: (...signs) => passed(cursor.isSign(...signs)),
    takeWords(...words) {
      const areThere = words.every((word, place) => wordAt(at + place)?.upper === word);
      if (areThere) at += words.length;
      return areThere;
    },
    takeLiteral: () => passed(cursor.isLiteral()),
    expectWord(...words) {
      if (!cursor.takeWord(...words)) throw cursor.notUnderstood();
    },
    expectSign(sign) {
      if (!cursor.takeSign(sign)) throw cursor.notUnderstood();
    },
    name() {
      const token = tokens[at];
      if (!cursor.isName() || token === undefined || token.kind === 'literal')
        throw cursor.notUnderstood();
      at++;
      return token.text;
    },
    takeCalled() {
      const word = wordAt(at);
      const bracket = tokens[at + 1];
      if (word === undefined || bracket?.kind !== 'sign' || bracket.text !== '(') return undefined;
      // With a blank in between it may be a user-defined function with the name of a built-in one.
      if (bracket.start !== word.end) return undefined;
      at += 2;
      return word;
    },
    notUnderstood() {
      const token = tokens[at];
      if (token === undefined) return new NotUnderstood('it is not understood to its end');
      const written = token.kind === 'literal' ? 'a value' : `"${token.text}"`;
      return new NotUnderstood(`it is not understood from ${written} on (part ${at + 1})`);
    },
  };
  function passed(is: boolean): boolean {
    if (is) at++;
    return is;
  }
  return cursor;
}
