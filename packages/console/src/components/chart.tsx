// Lines or bars over days, drawn by uPlot. A table with the same numbers serves people who cannot see the chart.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../theme/theme.ts';
import { formatNumber } from '../words/t.ts';

export interface Series {
  readonly label: string;
  /** A variable of the theme. */
  readonly colour: '--accent' | '--good' | '--warn' | '--idle' | '--edge';
  readonly values: readonly (number | null)[];
  readonly kind: 'line' | 'bars';
  readonly dashed?: boolean;
}

interface ChartProps {
  readonly label: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  readonly height?: number;
}

const DAY_SECONDS = 86_400;

export function Chart(props: ChartProps) {
  const { label, days, series, format = formatNumber, height = 180 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const plot = new uPlot(
      options(series, { width: element.clientWidth, height, format, theme }),
      [days.map((day) => Date.parse(day) / 1000), ...series.map(({ values }) => [...values])],
      element,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [days, series, format, height, theme]);

  return (
    <figure>
      <div
        ref={frame}
        aria-hidden="true"
        className="w-full overflow-hidden"
        style={{ minHeight: height }}
      />
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {series.map((one) => (
          <span key={one.label} className="inline-flex items-center gap-1.5">
            <Swatch series={one} />
            {one.label}
          </span>
        ))}
      </figcaption>
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {series.map((one) => (
                  <td key={one.label}>{`${one.label}: ${format(one.values[index] ?? 0)}`}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function Swatch({ series: { colour, kind, dashed } }: { series: Series }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 14 8" className="h-2 w-3.5">
      {kind === 'bars' ? (
        <rect x="1" width="12" height="8" rx="2" fill={`var(${colour})`} />
      ) : (
        <path
          d="M0 4h14"
          stroke={`var(${colour})`}
          strokeWidth="2"
          {...(dashed && { strokeDasharray: '3 2' })}
        />
      )}
    </svg>
  );
}

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly format: (value: number) => string;
  readonly theme: string;
}

function options(series: readonly Series[], { width, height, format }: Drawing): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour('--ink-3'),
    font: `11px ${style.getPropertyValue('--font-sans')}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    padding: [8, 4, 0, 0],
    scales: {
      // Half a day on both sides, so that the first and the last bar are shown in full.
      x: { range: (_, min, max) => [min - DAY_SECONDS / 2, max + DAY_SECONDS / 2] },
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.12)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        space: 70,
        values: (_, times) => times.map(dayLabel),
      },
      { ...axis, size: 44, space: 36, values: (_, values) => values.map(wholeOr(format)) },
    ],
    series: [
      {},
      ...series.map((one): uPlot.Series => {
        const bars = uPlot.paths.bars?.({ size: [0.62, 22], radius: 0.25 });
        return {
          label: one.label,
          stroke: colour(one.colour),
          width: 2,
          // A line needs two points; a single one is drawn as a dot.
          points: { show: one.kind === 'line' && countValues(one) < 2 },
          ...(one.dashed && { dash: [4, 3] }),
          ...(one.kind === 'bars' && bars && { paths: bars, fill: colour(one.colour), width: 0 }),
          spanGaps: true,
        };
      }),
    ],
  };
}

const countValues = ({ values }: Series) => values.filter((value) => value !== null).length;

const dayFormat = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Ticks between two days get no label, because the numbers are of whole days. */
function dayLabel(time: number): string {
  return time % DAY_SECONDS === 0 ? dayFormat.format(time * 1000) : '';
}

function wholeOr(format: (value: number) => string) {
  return (value: number) => (Number.isInteger(value) ? format(value) : '');
}
