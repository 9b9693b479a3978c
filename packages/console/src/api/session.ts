// Who is signed in, and what that role may do.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiGet, keepSignedIn } from './http.ts';

export type Role = 'viewer' | 'operator' | 'admin';

export interface Session {
  readonly name: string;
  readonly role: Role;
  readonly by: 'session' | 'client';
  readonly id: string;
  readonly csrf_token: string | null;
  readonly expires_time: string | null;
  readonly idle_expires_time: string | null;
}

const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await apiGet<Session>('/session', {}, signal);
    keepSignedIn(session);
    return session;
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** Whether the person has this role; actions that need a higher role are not offered. */
export function useMay(role: Role): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && RANK[data.role] >= RANK[role];
}
