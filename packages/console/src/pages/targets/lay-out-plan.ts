// Positions of a plan's tables: those that match a person on the left, the tables that refer to them to the right.
import type { PlanEdge, PlanGraph, PlanNode } from '../../api/target-types.ts';

export const NODE_WIDTH = 208;
const COLUMN_GAP = 92;
const ROW_GAP = 20;
const MARGIN = 16;
const HEAD = 54;
const LINE = 17;

export interface PlacedNode {
  readonly node: PlanNode;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export interface Placed {
  readonly nodes: readonly PlacedNode[];
  readonly width: number;
  readonly height: number;
}

export function layOutPlan(
  plan: PlanGraph,
  linesOf: (node: PlanNode) => readonly string[],
): Placed {
  const columnOf = columnsOf(plan);
  const columns = Map.groupBy(plan.nodes, ({ table }) => columnOf.get(table) ?? 0);
  const heights = [...columns.values()].map((nodes) => columnHeight(nodes, linesOf));
  const height = Math.max(0, ...heights);
  const nodes = [...columns].flatMap(([column, inside]) => {
    let y = MARGIN + (height - columnHeight(inside, linesOf)) / 2;
    return inside.map((node) => {
      const lines = linesOf(node);
      const placed = {
        node,
        lines,
        x: MARGIN + column * (NODE_WIDTH + COLUMN_GAP),
        y,
        height: nodeHeight(lines),
      };
      y += placed.height + ROW_GAP;
      return placed;
    });
  });
  const last = Math.max(0, ...columns.keys());
  return {
    nodes,
    width: 2 * MARGIN + NODE_WIDTH + last * (NODE_WIDTH + COLUMN_GAP),
    height: height + 2 * MARGIN,
  };
}

function nodeHeight(lines: readonly string[]): number {
  return HEAD + lines.length * LINE + (lines.length > 0 ? 6 : 0);
}

function columnHeight(
  nodes: readonly PlanNode[],
  linesOf: (node: PlanNode) => readonly string[],
): number {
  const heights = nodes.map((node) => nodeHeight(linesOf(node)));
  return heights.reduce((sum, height) => sum + height, 0) + (nodes.length - 1) * ROW_GAP;
}

/** One column to the right of the furthest parent. A reference to itself, or a circle, moves nothing. */
function columnsOf({ nodes, edges }: PlanGraph): Map<string, number> {
  const column = new Map(nodes.map(({ table }) => [table, 0]));
  const forward = edges.filter(({ from, to }) => from !== to && column.has(from) && column.has(to));
  for (let round = 1; round < nodes.length; round++) {
    let moved = false;
    for (const { from, to } of forward) {
      const wanted = (column.get(from) ?? 0) + 1;
      if ((column.get(to) ?? 0) >= wanted || wanted >= nodes.length) continue;
      if (reaches(forward, to, from)) continue;
      column.set(to, wanted);
      moved = true;
    }
    if (!moved) break;
  }
  return column;
}

function reaches(edges: readonly PlanEdge[], start: string, end: string): boolean {
  const seen = new Set([start]);
  const open = [start];
  for (let table = open.pop(); table !== undefined; table = open.pop()) {
    if (table === end) return true;
    for (const { from, to } of edges) {
      if (from !== table || seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return false;
}
