// The console's look for pages that the server itself makes: colours in light and dark, font, logo.

const LIGHT =
  '--page: #f8f6f3; --surface: #fffefc; --sunken: #f2efea; --ink: #1d1b18; --soft: #55504a; --line: #e6e1d9; --edge: #cdc6bb; --accent: #3346c7; --on: #fff; --bad: #b0241b;';
const DARK =
  '--page: #131211; --surface: #1a1918; --sunken: #0f0e0d; --ink: #efece6; --soft: #bab4aa; --line: #2c2a27; --edge: #46423d; --accent: #9dabff; --on: #11142b; --bad: #ff968c;';

export const FONT = 'Inter, ui-sans-serif, system-ui, sans-serif';

export const COLOURS = `
  :root { color-scheme: light dark; ${LIGHT} }
  @media (prefers-color-scheme: dark) { :root { ${DARK} } }
`;

/** Drawn with the colours of the page around it. */
export const MARK = `<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><g fill="none" stroke="var(--on)" stroke-width="3.4" stroke-linecap="round"><path d="M9 8v9a7 7 0 0 0 7 7"/><path d="M20.2 22.6l1-.9M22.9 18.6l.1-1.2M23 13.4v-.4M23 8.6V8" opacity=".75"/></g></svg>`;
