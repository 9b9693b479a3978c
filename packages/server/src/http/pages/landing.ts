// The page at /, for people: what this service is and where to go.
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../api-error.ts';
import { COLOURS, FONT, MARK } from './look.ts';

export interface LandingOptions {
  readonly version: string;
  /** False if the console is on another port, which only operators need to know. */
  readonly hasConsole: boolean;
}

export function registerLanding(app: FastifyInstance, options: LandingOptions): void {
  const page = landingPage(options);
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    if (!(request.headers.accept ?? '').includes('text/html')) {
      throw new ApiError(404, 'This is the base address; try /discovery, /openapi.json or /docs');
    }
    return reply
      .type('text/html; charset=utf-8')
      .header('vary', 'accept')
      .header('x-content-type-options', 'nosniff')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .send(page);
  });
}

const CONSOLE = `<a class="way" href="/console"><b>Open the console</b><span>For the people who run this service</span></a>`;

/** Looks like the console. */
const STYLE = `${COLOURS}
  body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.55 ${FONT}; }
  main { max-width: 40rem; margin: 0 auto; padding: 4rem 1.25rem; }
  .brand { display: flex; align-items: center; gap: .6rem; font-weight: 600; font-size: 1.15rem; letter-spacing: -.02em; }
  h1 { font-size: 1.9rem; line-height: 1.2; margin: 2rem 0 .5rem; letter-spacing: -.025em; }
  .lead { color: var(--soft); margin: 0 0 2rem; }
  a { color: var(--accent); text-underline-offset: 3px; }
  .way { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; background: var(--accent); color: var(--on); border-radius: 10px; padding: .9rem 1.1rem; text-decoration: none; margin-bottom: 1.25rem; }
  dl { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; margin: 0; }
  dl > div { display: grid; grid-template-columns: 11rem 1fr; gap: .1rem 1rem; padding: .7rem 1.1rem; border-bottom: 1px solid var(--line); }
  dl > div:last-child { border: 0; }
  dt { font-family: ui-monospace, monospace; font-size: .88rem; }
  dd { margin: 0; color: var(--soft); }
  footer { color: var(--soft); margin-top: 1.5rem; font-size: .85rem; }
  @media (max-width: 34rem) { dl > div { grid-template-columns: 1fr; } main { padding-top: 2rem; } }
`;

function landingPage({ version, hasConsole }: LandingOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Unwrite: erasure processor</title>
<style>${STYLE}</style>
</head>
<body>
<main>
  <div class="brand">${MARK}Unwrite</div>
  <h1>An erasure processor</h1>
  <p class="lead">Data controllers submit, query and cancel GDPR and CCPA erasure requests here, over the OpenDSR 2.0 API.</p>
  ${hasConsole ? CONSOLE : ''}
  <dl>
    <div><dt><a href="/docs">/docs</a></dt><dd>The API, to read and try</dd></div>
    <div><dt><a href="/openapi.json">/openapi.json</a></dt><dd>The same for tools: OpenAPI 3.1</dd></div>
    <div><dt><a href="/.well-known/oauth-authorization-server">/.well-known/…</a></dt><dd>Where and how to get an access token</dd></div>
    <div><dt><a href="/health/ready">/health/ready</a></dt><dd>Whether this service is ready</dd></div>
  </dl>
  <footer>Version ${version}. Credentials come from the operator of this service.</footer>
</main>
</body>
</html>
`;
}
