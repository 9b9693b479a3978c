import { Loading } from '../../components/failure.tsx';

/** As high as the content that follows, so that nothing jumps. */
export function OverviewSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-3">
      <div className="card lg:col-span-3">
        <Loading rows={2} />
      </div>
      <div className="card min-h-72 lg:col-span-2">
        <Loading rows={7} />
      </div>
      <div className="card min-h-72">
        <Loading rows={5} />
      </div>
    </div>
  );
}
