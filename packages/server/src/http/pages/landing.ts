// The page at / for people: what this is and where to go.
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../api-error.ts';

export function registerLanding(app: FastifyInstance, version: string): void {
  const page = landingPage(version);
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

function landingPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Unwrite: erasure processor</title>
<style>
  :root { color-scheme: light dark; --ink: #1d2433; --soft: #5a6478; --line: #dfe3ea; --paper: #fff; --accent: #0b63ce; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8ebf1; --soft: #a3adbf; --line: #333c4d; --paper: #141923; --accent: #7ab4ff; }
  }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
  main { max-width: 42rem; margin: 0 auto; padding: 3.5rem 1.25rem; }
  h1 { font-size: 2rem; margin: 0 0 .25rem; letter-spacing: -.02em; }
  .lead { color: var(--soft); margin: 0 0 2rem; font-size: 1.1rem; }
  a { color: var(--accent); }
  dl { border-top: 1px solid var(--line); margin: 0; }
  dl > div { display: grid; grid-template-columns: 14rem 1fr; gap: .25rem 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
  dt { font-family: ui-monospace, monospace; font-size: .92rem; }
  dd { margin: 0; color: var(--soft); }
  footer { color: var(--soft); margin-top: 2rem; font-size: .9rem; }
  @media (max-width: 34rem) { dl > div { grid-template-columns: 1fr; } main { padding-top: 2rem; } }
</style>
</head>
<body>
<main>
  <h1>Unwrite</h1>
  <p class="lead">This is an erasure processor. Data controllers submit, query and cancel GDPR and CCPA
  erasure requests here, over the OpenDSR 2.0 API.</p>
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
