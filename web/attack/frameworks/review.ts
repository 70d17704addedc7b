import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { REVIEWS } from './framework.ts'

/** How many reviews are open. */
export const openReviewsQuery = queryOptions({
  queryKey: [REVIEWS, 'open count'],
  queryFn: async ({ signal }) =>
    (await call<{ total_count: number }>('GET', `${REVIEWS}?data=false`, undefined, signal)).total_count,
  staleTime: 60_000,
  retry: false,
})
