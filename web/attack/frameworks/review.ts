import { queryOptions } from '@tanstack/react-query'
import { frameworksQuery } from './framework.ts'

/** How many reviews are open, in all frameworks. */
export const openReviewsQuery = queryOptions({
  ...frameworksQuery,
  select: ({ data }) => data.reduce((sum, { open_reviews }) => sum + open_reviews, 0),
  staleTime: 60_000,
})
