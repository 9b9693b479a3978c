/** Styles of the receipt page: for print first, the same on a screen. */
export const RECEIPT_STYLE = `
  @page { margin: 18mm 16mm; }
  :root { --ink: #1d2433; --soft: #5a6478; --line: #d5dae3; --mark: #8a4b00; --wash: #fdf6ea; }
  * { box-sizing: border-box; }
  body { margin: 0; background: #fff; color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
  main { max-width: 50rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
  h1 { font-size: 1.7rem; margin: 0; letter-spacing: -.02em; }
  h2 { font-size: 1.1rem; margin: 0 0 .4rem; }
  h3 { font-size: .95rem; margin: 1rem 0 .3rem; }
  p { margin: 0 0 .6rem; }
  .lead, .soft { color: var(--soft); }
  section { margin-top: 1.6rem; }
  .retained { print-color-adjust: exact; border-left: 4px solid var(--mark); background: var(--wash); padding: .9rem 1rem; }
  .task { break-inside: avoid; }
  dl { margin: 1rem 0 0; border-top: 1px solid var(--line); }
  dl > div { display: grid; grid-template-columns: 9rem 1fr; gap: 1rem; padding: .3rem 0;
    border-bottom: 1px solid var(--line); break-inside: avoid; }
  dt { color: var(--soft); }
  dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  table { width: 100%; border-collapse: collapse; margin: .3rem 0 .6rem; }
  th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
    border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
  th { color: var(--soft); font-weight: 500; }
  td.number { font-variant-numeric: tabular-nums; }
  tr { break-inside: avoid; }
  code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
  @media print { main { padding: 0; max-width: none; } body { font-size: 10.5pt; } }
  @media (max-width: 34rem) { dl > div { grid-template-columns: 1fr; gap: 0; } }
`;
