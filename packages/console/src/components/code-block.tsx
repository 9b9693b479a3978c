import { CopyButton } from './copy.tsx';

/** Code that is copied as a whole. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative min-w-0 rounded-[7px] border bg-sunken">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-[55vh] overflow-auto py-2.5 pr-10 pl-3"
      >
        <pre className="mono leading-relaxed">{code}</pre>
      </section>
      <span className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={code} label={label} />
      </span>
    </div>
  );
}
