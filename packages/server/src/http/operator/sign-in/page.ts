// The sign-in page: small, and independent of the console, so that it works even if that fails. It loads
// nothing from elsewhere, and its only inline script is the one whose hash the policy names.
import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { COLOURS, FONT, MARK } from '../../pages/look.ts';

const STYLE = `${COLOURS}
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); font: 15px/1.55 ${FONT}; }
  main { width: 100%; max-width: 27rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 2rem; box-shadow: 0 12px 36px rgb(41 33 20 / 8%); }
  .brand { display: flex; align-items: center; gap: .6rem; font-weight: 600; font-size: 1.1rem; letter-spacing: -.02em; }
  h1 { font-size: 1.35rem; line-height: 1.3; margin: 1.5rem 0 .25rem; letter-spacing: -.015em; }
  p { margin: .75rem 0 0; color: var(--soft); overflow-wrap: anywhere; }
  h1 + p { margin-top: 0; }
  .wrong { color: var(--bad); }
  .button { display: block; margin-top: 1.5rem; padding: .65rem 1rem; border-radius: 8px; background: var(--accent); color: var(--on); text-align: center; text-decoration: none; font-weight: 600; }
  .button:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
  code { display: block; margin-top: .75rem; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--sunken); color: var(--ink); font: .87rem ui-monospace, monospace; user-select: all; overflow-wrap: anywhere; }
  code span { white-space: nowrap; }
`;

/** The code is behind the #, so it is in no log and no Referer. It is removed from the address before it is sent. */
const SCRIPT = `
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) {
    const message = document.getElementById('message');
    const say = (text, isWrong) => { message.textContent = text; message.classList.toggle('wrong', isWrong); };
    const returnTo = new URLSearchParams(location.search).get('return_to');
    history.replaceState(null, '', location.pathname);
    say('Signing in\\u2026', false);
    fetch('/operator/v1/sign-in/link', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, ...(returnTo === null ? {} : { return_to: returnTo }) }),
    }).then(async (response) => {
      const body = await response.json();
      if (response.ok) location.replace(body.return_to);
      else say(body.error.message, true);
    }).catch(() => say('The server does not answer; is it running? Open the link again.', true));
  }
`;

const sha256 = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;
const POLICY = [
  "default-src 'none'",
  `style-src ${sha256(STYLE)}`,
  `script-src ${sha256(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface SignInPage {
  readonly message: string;
  readonly isWrong?: boolean;
  /** Label of the single sign-on button; absent if single sign-on is not configured. */
  readonly signOn?: string | undefined;
  readonly command?: string | undefined;
}

export function sendSignInPage(
  reply: FastifyReply,
  status: number,
  page: SignInPage,
): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
    .send(render(page));
}

/** Keeps narrow browsers from breaking an option after its dashes. */
function inOnePiece(command: string): string {
  return escapeHtml(command).replaceAll(/--[a-z]+ [a-z]+/g, '<span>$&</span>');
}

function render({ message, isWrong = false, signOn, command }: SignInPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in · Unwrite</title>
<style>${STYLE}</style>
</head>
<body>
<main>
  <div class="brand">${MARK}Unwrite</div>
  <h1>Sign in to the console</h1>
  <p id="message" role="status"${isWrong ? ' class="wrong"' : ''}>${escapeHtml(message)}</p>
  ${signOn === undefined ? '' : `<a class="button" href="${escapeHtml(signOn)}">Sign in with your company account</a>`}
  ${command === undefined ? '' : `<p>${signOn === undefined ? 'Make' : 'Or make'} a sign-in link on the machine of the server, and open it:</p><code>${inOnePiece(command)}</code>`}
  <noscript><p class="wrong">Sign-in links need JavaScript, as the console does.</p></noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
