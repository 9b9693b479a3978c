// The receipt as a page to print: no scripts, nothing loaded from elsewhere, everything escaped.
import type { FullReceipt, Receipt } from '../domain/receipt/documents.ts';
import { escapeHtml as e, type Markup, markup, readableTime, table } from './markup.ts';
import { RECEIPT_STYLE } from './receipt-style.ts';
import { retainedSection, tasksSection, totalsLine } from './render-outcomes.ts';
import { keptSection, systemsSection } from './render-systems.ts';

const SANDBOX =
  '<p class="retained"><strong>Sandbox.</strong> This receipt is for trying out: the person is invented, and nothing was erased.</p>\n';

export function renderReceipt(document: string): string {
  const receipt = JSON.parse(document) as Receipt | FullReceipt;
  const isFull = receipt.document === 'unwrite full receipt';
  const isAddendum = receipt.receipt_no > 1;
  const name = isFull ? 'full erasure receipt' : 'erasure receipt';
  const title = isAddendum
    ? `Addendum ${receipt.receipt_no} to ${isFull ? 'a' : 'an'} ${name}`
    : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${e(`${title} ${receipt.subject_request_id}`)}</title>
<style>${RECEIPT_STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${e(title)}</h1>
${receipt.sandbox ? SANDBOX : ''}<p class="lead">${e(receipt.processor_domain)} states what it erased for ${e(receipt.controller_id)}.</p>
</header>
${requestSection(receipt).html}
${(isFull ? retainedSection(receipt) : keptSection(receipt)).html}
${totalsLine(receipt).html}
${isFull ? tasksSection(receipt).html : systemsSection(receipt).html}
${isFull ? `${planSection(receipt).html}\n` : ''}${proofSection(receipt).html}
</main>
</body>
</html>
`;
}

function requestSection(receipt: Receipt | FullReceipt): Markup {
  const fields: [string, string | null][] = [
    ['Request', receipt.subject_request_id],
    ['Controller', receipt.controller_id],
    ['Regulation', receipt.regulation.toUpperCase()],
    ['Submitted', readableTime(receipt.submitted_time)],
    ['Received', readableTime(receipt.received_time)],
    ...(receipt.entered_by === undefined
      ? []
      : [['Entered by', receipt.entered_by] as [string, string]]),
    ['Started', receipt.started_time && readableTime(receipt.started_time)],
    ['Completed', receipt.completed_time && readableTime(receipt.completed_time)],
    ['Signed', readableTime(receipt.signed_time)],
  ];
  return definitions(fields);
}

function planSection({ plan }: FullReceipt): Markup {
  const rows = plan.map(({ target, label, connector, configuration }) => [
    label === undefined ? target : `${target} (${label})`,
    connector,
    configuration ?? '–',
  ]);
  return markup(`<section>
<h2>Plan</h2>
<p>The targets that the request was to be erased from, fixed when it started.</p>
${table(['Target', 'Connector', 'Digest of its configuration'], rows).html}
</section>`);
}

function proofSection(receipt: Receipt | FullReceipt): Markup {
  const { audit_head: head, previous_receipt: previous } = receipt;
  const fields: [string, string | null][] = [
    ['Key', receipt.key_id],
    ['Signature', receipt.signature],
    ...(receipt.document === 'unwrite receipt'
      ? [['Full receipt', receipt.full_receipt_sha256] as [string, string]]
      : []),
    ['Audit head', head && `${head.head_no}: ${head.hash}`],
    ...(previous
      ? [['Receipt before', `${previous.receipt_no}: ${previous.sha256}`] as [string, string]]
      : []),
  ];
  return markup(`<section>
<h2>Proof</h2>
<p>This page is for reading; the signed document is the JSON receipt. To verify that one, without a
connection: <code>unwrite receipt verify receipt.json --key key.pem</code>. The key is at
<code>/receipts/key</code> of the service; compare its id with the one that you were given before.</p>
${definitions(fields).html}
</section>`);
}

function definitions(fields: readonly (readonly [string, string | null])[]): Markup {
  const rows = fields.map(
    ([name, value]) => `<div><dt>${e(name)}</dt><dd>${e(value ?? '–')}</dd></div>`,
  );
  return markup(`<dl>\n${rows.join('\n')}\n</dl>`);
}
