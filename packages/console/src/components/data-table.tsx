// A list of any length: the next page is read when the end comes near, and only visible rows are in the document.
// The keys j and k move between rows, Enter opens one.
import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useRowKeys } from '../shell/row-keys.ts';
import { t } from '../words/t.ts';
import { usePrinting } from './use-printing.ts';

const features = tableFeatures({});
const ROW_PX = 44;
const READ_AHEAD = 12;

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** Track size in the grid. */
  readonly width: string;
  /** Track size on a narrow screen, if it differs. */
  readonly narrow?: string;
  /** Hidden on a narrow screen. */
  readonly wideOnly?: boolean;
  readonly alignEnd?: boolean;
  /** Uses two lines on a narrow screen. */
  readonly wraps?: boolean;
  readonly cell: (row: T) => ReactNode;
}

interface DataTableProps<T extends object> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly onOpen?: (row: T) => void;
  readonly hasMore: boolean;
  readonly isReading: boolean;
  readonly readMore: () => void;
}

export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { rows, columns, keyOf, onOpen, hasMore, isReading, readMore } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isPrinting = usePrinting();
  const table = useTable({
    features,
    data: rows as T[],
    columns: columns.map(toDefinition),
    getRowId: keyOf,
  });
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: isPrinting ? rows.length : READ_AHEAD,
    // The virtualizer does not count the header row, which is inside the scrolling area.
    scrollPaddingEnd: ROW_PX,
  });
  const visible = virtual.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isReading && !isPrinting && last >= rows.length - READ_AHEAD) readMore();
  }, [hasMore, isReading, isPrinting, last, rows.length, readMore]);
  // The chosen row gets the focus: screen readers read it, and it is visible without colours.
  const isChosen = useRef(false);
  useEffect(() => {
    const row = isChosen.current ? frame.current?.querySelector('[aria-current]') : null;
    if (!(row instanceof HTMLElement)) return;
    isChosen.current = false;
    row.focus({ preventScroll: true });
  });
  const active = useRowKeys(rows.length, {
    keyOf: (index) => keyOf(rows[index] as T),
    show: (index) => {
      virtual.scrollToIndex(index, { align: 'auto' });
      isChosen.current = true;
    },
    open: (index) => {
      const row = rows[index];
      if (row !== undefined) onOpen?.(row);
    },
  });

  const wide = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  const narrow = columns
    .filter(({ wideOnly }) => !wideOnly)
    .map(({ width, narrow: track }) => track ?? width);
  const tracks = {
    '--wide': wide.gridTemplateColumns,
    '--narrow': narrow.join(' '),
  } as React.CSSProperties;
  const grid = 'grid [grid-template-columns:var(--narrow)] lg:[grid-template-columns:var(--wide)]';
  const models = table.getRowModel().rows;

  return (
    <section className="card overflow-hidden" style={tracks} aria-label={props.label}>
      <div
        ref={frame}
        role="table"
        aria-label={props.label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="scrolls max-h-[calc(100vh-15rem)] min-h-40 overflow-auto"
      >
        <div role="rowgroup" className="sticky top-0 z-10 border-b bg-surface">
          {table.getHeaderGroups().map((group) => (
            <div key={group.id} role="row" className={`${grid} gap-x-2 px-4 lg:gap-x-4`}>
              {group.headers.map((header) => {
                const column = columns.find(({ id }) => id === header.column.id);
                return (
                  <div
                    key={header.id}
                    role="columnheader"
                    className={`eyebrow truncate py-2 ${cellClass(column)}`}
                  >
                    <table.FlexRender header={header} />
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        <div
          role="rowgroup"
          className="rows relative"
          style={isPrinting ? {} : { height: virtual.getTotalSize() }}
        >
          {visible.map((item) => {
            const model = models[item.index];
            if (model === undefined) return null;
            const isActive = active === item.index;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the link in the row is for keys; this widens it for a mouse
              <div
                key={model.id}
                role="row"
                tabIndex={-1}
                aria-rowindex={item.index + 2}
                {...(isActive && { 'aria-current': true })}
                onClick={(event) => {
                  const inside = (event.target as HTMLElement).closest('a, button, input');
                  if (inside === null) onOpen?.(model.original);
                }}
                className={`${grid} absolute inset-x-0 top-0 items-center gap-x-2 border-b px-4 -outline-offset-2 lg:gap-x-4 hover:bg-hover ${onOpen ? 'cursor-pointer' : ''} ${isActive ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)] forced-colors:outline-2 forced-colors:-outline-offset-2' : ''}`}
                style={
                  // Printed rows are in the normal flow, because page breaks do not work with absolute positions.
                  isPrinting
                    ? { height: item.size }
                    : { height: item.size, transform: `translateY(${item.start}px)` }
                }
              >
                {model.getAllCells().map((cell) => (
                  <div
                    key={cell.id}
                    role="cell"
                    className={`min-w-0 ${textClass(columns.find(({ id }) => id === cell.column.id))}`}
                  >
                    <table.FlexRender cell={cell} />
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <footer className="flex items-center justify-between border-t px-4 py-2 text-xs text-ink-3">
        <span className="numbers">{footerWords(rows.length, hasMore)}</span>
        {isReading ? <span>{t('loading')}</span> : null}
      </footer>
    </section>
  );
}

function toDefinition<T extends object>(column: Column<T>): ColumnDef<typeof features, T> {
  return {
    id: column.id,
    header: column.header,
    cell: ({ row }) => column.cell(row.original),
  };
}

function textClass<T>(column: Column<T> | undefined): string {
  const lines = column?.wraps ? 'line-clamp-2 leading-tight lg:block lg:truncate' : 'truncate';
  return `${lines} ${cellClass(column)}`;
}

function cellClass<T>(column: Column<T> | undefined): string {
  const end = column?.alignEnd ? 'text-right' : '';
  return column?.wideOnly ? `hidden lg:block ${end}` : end;
}

function footerWords(count: number, hasMore: boolean): string {
  return hasMore ? t('table.more', { count }) : t('table.all', { count });
}
