// A list that is read page by page, as one array.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ListSource } from '../api/queries.ts';

export function useList<T>({ key, read }: ListSource<T>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const { data, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  const readMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return {
    /** Undefined until the first page has arrived. */
    rows,
    error: query.error,
    refetch: () => void query.refetch(),
    readMore,
    hasMore: query.hasNextPage,
    isCapped: data?.pages.some(({ capped }) => capped === true) ?? false,
    isReading: query.isFetchingNextPage,
  };
}
