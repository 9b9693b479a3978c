// The port of what is measured: durations and sizes, for the histograms on the metrics page. Labels are names of routes,
// targets and outcomes, never anything that a caller or a target sent.

export type HistogramName =
  | 'unwrite_http_request_duration_seconds'
  | 'unwrite_store_write_duration_seconds'
  | 'unwrite_store_write_requests'
  | 'unwrite_store_transaction_duration_seconds'
  | 'unwrite_batch_duration_seconds'
  | 'unwrite_batch_tasks'
  | 'unwrite_connector_call_duration_seconds';

/** Plain data, because it is passed between threads. */
export type Observation = readonly [
  histogram: HistogramName,
  values: readonly string[],
  measured: number,
];

export type Observe = (...observation: Observation) => void;
