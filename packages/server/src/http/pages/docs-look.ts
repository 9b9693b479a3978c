// Styles /docs like the console: its colours over those of Swagger UI, in light and dark, and links at the top.
import { COLOURS, FONT } from './look.ts';

/** The root twice, for a higher specificity than Swagger UI's own two themes. */
const OVER = ':root:root .swagger-ui';

export const DOCS_STYLE = `${COLOURS}
:root:root, :root:root body { margin: 0; background: var(--page); color: var(--ink) }
${OVER} { background: var(--page) }
${OVER} .topbar { display: none }
${OVER}, ${OVER} .info *, ${OVER} .opblock-tag, ${OVER} .opblock-tag *, ${OVER} .btn, ${OVER} label, ${OVER} select, ${OVER} .opblock-summary-description { font-family: ${FONT} }
${OVER} .info { margin: 2rem 0 1.5rem }
${OVER} .info .title, ${OVER} .opblock-tag, ${OVER} .opblock-tag small p, ${OVER} .info p, ${OVER} .info li { color: var(--ink) }
${OVER} .info a, ${OVER} .info .base-url { color: var(--accent) }
${OVER} .info .title small { background: var(--soft) }
${OVER} .info .title small.version-stamp { background: var(--accent) }
${OVER} .info .title small pre { color: var(--on) }
${OVER} .scheme-container { background: var(--surface); box-shadow: none; border-block: 1px solid var(--line); padding: 1rem 0 }
${OVER} .opblock-tag { border-bottom-color: var(--line) }
${OVER} .btn.authorize { color: var(--accent) !important; border-color: var(--accent) !important; background: none }
${OVER} .btn.authorize svg { fill: var(--accent) !important }
${OVER} .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--on) }
.ways { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--surface); padding: .7rem 1.25rem; font: 15px/1.5 ${FONT} }
.ways a { color: var(--accent); text-underline-offset: 3px }
.ways .brand { display: flex; align-items: center; gap: .6rem; margin-right: auto; color: var(--ink); font-weight: 600; letter-spacing: -.02em; text-decoration: none }
.ways .brand::before { content: ""; width: 26px; height: 26px; background: url(/docs/static/theme/unwrite.svg) }
`;

/** A separate file, which no style of a page affects. */
export const DOCS_MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3346c7"/><g fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"><path d="M9 8v9a7 7 0 0 0 7 7"/><path d="M20.2 22.6l1-.9M22.9 18.6l.1-1.2M23 13.4v-.4M23 8.6V8" opacity=".75"/></g></svg>`;

/** Swagger UI makes the page itself: our script adds what it lacks. */
export function docsScript(hasConsole: boolean): string {
  const ways = [
    { text: 'Unwrite', href: '/', className: 'brand' },
    { text: 'openapi.json', href: '/openapi.json', className: '' },
    ...(hasConsole ? [{ text: 'Console', href: '/console', className: '' }] : []),
  ];
  return `
const head = document.createElement('header');
head.className = 'ways';
for (const way of ${JSON.stringify(ways)}) head.append(Object.assign(document.createElement('a'), { href: way.href, className: way.className, textContent: way.text }));
document.body.prepend(head);
const meta = Object.assign(document.createElement('meta'), { name: 'viewport', content: 'width=device-width, initial-scale=1' });
document.head.append(meta);
`;
}
