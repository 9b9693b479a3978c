import { CopyButton } from './copy.tsx';

/** Code that is copied as a whole. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex min-w-0 items-start rounded-[7px] border bg-sunken">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-[55vh] min-w-0 flex-1 overflow-auto py-2.5 pl-3"
      >
        <pre className="mono leading-relaxed">{code}</pre>
      </section>
      <span className="p-1.5">
        <CopyButton text={code} label={label} />
      </span>
    </div>
  );
}
