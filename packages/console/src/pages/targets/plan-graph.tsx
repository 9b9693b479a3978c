// The plan as a graph: tables, the references between them, and what happens to each. A list with the same content
// follows for people who cannot see it.
import type { PlanEdge, PlanEffect, PlanGraph, PlanNode } from '../../api/target-types.ts';
import { Mark, type Tone } from '../../components/status.tsx';
import { t, tName } from '../../words/t.ts';
import { layOutPlan, NODE_WIDTH, type PlacedNode } from './lay-out-plan.ts';

interface EffectLook {
  readonly tone: Tone;
  readonly colour: string;
  readonly shape: 'cross' | 'half' | 'bars' | 'slash' | 'ring';
}

const LOOKS: Readonly<Record<PlanEffect, EffectLook>> = {
  deleted: { tone: 'bad', colour: 'var(--bad)', shape: 'cross' },
  overwritten: { tone: 'accent', colour: 'var(--accent)', shape: 'half' },
  retained: { tone: 'warn', colour: 'var(--warn)', shape: 'bars' },
  removed_by_cascade: { tone: 'bad', colour: 'var(--bad)', shape: 'slash' },
  stays: { tone: 'idle', colour: 'var(--idle)', shape: 'ring' },
};
const LONGEST = 30;
/** A graph that is too wide is scaled down to this at most; beyond it, the graph scrolls. */
const SMALLEST = 0.75;

export function PlanGraphView({ plan }: { plan: PlanGraph }) {
  const placed = layOutPlan(plan, linesOf);
  const at = new Map(placed.nodes.map((node) => [node.node.table, node]));
  const effects = [...new Set(plan.nodes.map(({ effect }) => effect))];
  return (
    <>
      <section
        className="scrolls overflow-x-auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        aria-label={t('plan.title')}
      >
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${placed.width} ${placed.height}`}
          className="mx-auto block h-auto max-w-full"
          style={{ width: placed.width, minWidth: placed.width * SMALLEST }}
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M1 1l6 3-6 3" fill="none" stroke="var(--ink-3)" strokeWidth="1.3" />
            </marker>
          </defs>
          {plan.edges.map((edge) => (
            <Edge
              key={`${edge.from} ${edge.to} ${Object.keys(edge.columns).join()}`}
              edge={edge}
              from={at.get(edge.from)}
              to={at.get(edge.to)}
            />
          ))}
          {placed.nodes.map((node) => (
            <Node key={node.node.table} placed={node} />
          ))}
        </svg>
      </section>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 border-t px-4 py-2 text-sm text-ink-2">
        {effects.map((effect) => (
          <li key={effect} className="flex items-center gap-1.5">
            <Mark tone={LOOKS[effect].tone} shape={LOOKS[effect].shape} />
            {tName('effect', effect)}
          </li>
        ))}
      </ul>
      <ul className="sr-only">
        {plan.nodes.map((node) => (
          <li key={node.table}>
            {[node.table, tName('effect', node.effect), ...linesOf(node)].join(', ')}
          </li>
        ))}
        {plan.edges.map((edge) => (
          <li key={`${edge.from} ${edge.to}`}>
            {t('plan.edge', { from: edge.from, to: edge.to, columns: columnsOf(edge) })}
          </li>
        ))}
      </ul>
    </>
  );
}

function linesOf(node: PlanNode): string[] {
  return [
    ...node.match.map(({ type, column }) =>
      t('plan.match', { column, type: tName('identity', type) }),
    ),
    ...(node.columns.length > 0 ? [t('plan.columns', { columns: node.columns.join(', ') })] : []),
    ...(node.reason === null ? [] : [node.reason]),
    ...(node.tenant_column === null ? [] : [t('plan.tenant', { column: node.tenant_column })]),
    ...node.tenant_tables.map((table) => t('plan.tenant_of', { table })),
    ...(node.where === null ? [] : [t('plan.where')]),
    ...(node.shared === 'keep' || node.shared === 'erase'
      ? [tName('plan.shared', node.shared)]
      : []),
  ];
}

function columnsOf({ columns }: PlanEdge): string {
  return Object.entries(columns)
    .map(([child, parent]) => `${child} → ${parent}`)
    .join(', ');
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function Node({ placed: { node, lines, x, y, height } }: { placed: PlacedNode }) {
  const { tone, colour, shape } = LOOKS[node.effect];
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={NODE_WIDTH} height={height} rx="8" fill="var(--surface)" stroke="var(--edge)" />
      <rect width="4" height={height - 16} x="0" y="8" rx="2" fill={colour} />
      <text
        x="16"
        y="22"
        fill="var(--ink)"
        fontSize="13"
        fontWeight="600"
        fontFamily="var(--font-mono)"
      >
        {shorten(node.table)}
        <title>{node.table}</title>
      </text>
      <svg x="16" y="31" width="12" height="12" viewBox="0 0 14 14" aria-hidden="true">
        <Mark tone={tone} shape={shape} />
      </svg>
      <text x="34" y="41" fill={colour} fontSize="12" fontWeight="500">
        {tName('effect', node.effect)}
      </text>
      {lines.map((line, index) => (
        <text key={line} x="16" y={60 + index * 17} fill="var(--ink-2)" fontSize="11.5">
          {shorten(line)}
          <title>{line}</title>
        </text>
      ))}
    </g>
  );
}

interface EdgeProps {
  readonly edge: PlanEdge;
  readonly from: PlacedNode | undefined;
  readonly to: PlacedNode | undefined;
}

function Edge({ edge, from, to }: EdgeProps) {
  if (from === undefined || to === undefined) return null;
  const start = { x: from.x + NODE_WIDTH, y: from.y + from.height / 2 };
  const isBack = to.x <= from.x;
  const end = { x: isBack ? to.x + NODE_WIDTH : to.x, y: to.y + to.height / 2 };
  const bend = isBack ? 56 : (end.x - start.x) / 2;
  const path = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${isBack ? end.x + bend : end.x - bend} ${end.y} ${end.x} ${end.y}`;
  return (
    <g>
      <path
        d={path}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth="1.3"
        markerEnd="url(#arrow)"
        {...(edge.kind === 'emptied' && { strokeDasharray: '4 3' })}
      >
        <title>{t('plan.edge', { from: edge.from, to: edge.to, columns: columnsOf(edge) })}</title>
      </path>
      <text
        x={(start.x + end.x) / 2}
        y={(start.y + end.y) / 2 - 6}
        textAnchor="middle"
        fontSize="10.5"
        fill="var(--ink-2)"
        stroke="var(--surface)"
        strokeWidth="4"
        paintOrder="stroke"
        fontFamily="var(--font-mono)"
      >
        {Object.keys(edge.columns).join(', ').slice(0, 16)}
      </text>
    </g>
  );
}
