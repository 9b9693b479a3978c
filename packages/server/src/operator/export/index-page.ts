// The page of an export that a person opens: no scripts, nothing loaded from elsewhere, everything escaped.
import type { RequestLine } from '../request/request-line.ts';

export interface ExportedRequest {
  readonly line: RequestLine;
  /** The names of its receipts, without their endings. */
  readonly receipts: readonly string[];
  /** Why it has none. */
  readonly problem: string | null;
}

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
main{display:flex;flex-direction:column;max-width:72rem;margin:2rem auto;padding:0 1rem}
.first{order:-1}h1{font-size:1.5rem;margin:0}pre{overflow:auto;padding:.7rem;border:1px solid #8886;border-radius:6px}
.rows{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;text-align:left;border-bottom:1px solid #8884}
td{font-variant-numeric:tabular-nums;white-space:nowrap}td:last-child{white-space:normal;min-width:12rem}`;

export interface ExportFacts {
  readonly domain: string;
  readonly controllerId: string;
  /** In words. */
  readonly received: string;
  readonly created: string;
  readonly isFull: boolean;
}

export function indexHead({ controllerId }: Pick<ExportFacts, 'controllerId'>): string {
  const title = `Erasures for ${controllerId}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="rows"><table>
<thead><tr><th>Request</th><th>Regulation</th><th>Received</th><th>Ended</th><th>Outcome</th><th>Receipts</th></tr></thead>
<tbody>
`;
}

export function indexRow({ line, receipts, problem }: ExportedRequest): string {
  const links = receipts.map(
    (name, at) =>
      `<a href="${name}.html">${at === 0 ? 'page' : `addendum ${at + 1}`}</a> <a href="${name}.json">signed</a>`,
  );
  const cells = [
    escapeText(line.subject_request_id),
    escapeText(line.regulation.toUpperCase()),
    day(line.received_time),
    day(line.completed_time ?? line.cancelled_time),
    escapeText(line.outcome),
    problem === null ? links.join(', ') : escapeText(problem),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
}

/** Counts are known last and shown first. */
export function indexEnd(facts: ExportFacts, outcomes: ReadonlyMap<string, number>): string {
  const counts = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`);
  const full = facts.isFull
    ? '<p>The folder <code>full</code> and <code>audit.csv</code> name tables, targets and staff: they are for the processor itself.</p>'
    : '';
  return `</tbody></table></div>
<header class="first">
<h1>Erasures for ${escapeText(facts.controllerId)}</h1>
<p>Stated by ${escapeText(facts.domain)}: requests received ${escapeText(facts.received)}, exported ${escapeText(facts.created)}.
${counts.length === 0 ? 'There are none.' : `${escapeText(counts.join(', '))}.`} <code>requests.csv</code> lists them.</p>
${full}
<p>To verify that all of this is unchanged since it was signed, without a connection, in the folder with this page:</p>
<pre>npx unwrite receipt verify . --key keys.json</pre>
<p><code>keys.json</code> came with the archive, so compare it once with <code>/receipts/keys</code> of the processor.</p>
</header>
</main>
</body>
</html>
`;
}

const day = (time: string | null) => escapeText(time?.slice(0, 10) ?? '');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
