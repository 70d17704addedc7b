import { queryOptions } from '@tanstack/react-query'
import { CallError, call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { searchOf } from '../../api/lists.ts'
import { ANALYSES } from '../analyses/analysis.ts'
import { DEFENSES } from '../defenses/defense.ts'
import { FRAMEWORKS, frameworksQuery, REVIEWS } from './framework.ts'

interface NamedNode {
  readonly id: string
  readonly name: string
}

/** A node in use that is no longer live and has several successors. */
export interface Review {
  readonly id: number
  readonly load: number
  readonly matrix: string
  readonly node: NamedNode
  readonly successors: readonly NamedNode[]
  readonly state: 'open' | 'chosen' | 'kept'
  /** The ids of the chosen successors. */
  readonly chosen: readonly string[]
  /** What still uses the node; entities that the reader sees. */
  readonly entities: number
  readonly annotations: number
  readonly layers: number
  readonly links: number
  readonly decided_at: string | null
  readonly decided_by: string | null
}

/** Whether a review belongs to a matrix; empty stands for all of them. */
export const isOf = (review: Pick<Review, 'matrix'>, matrix: string): boolean =>
  matrix === '' || review.matrix === matrix

/** How many reviews are open, in all frameworks. */
export const openReviewsQuery = queryOptions({
  ...frameworksQuery,
  select: ({ data }) => data.reduce((sum, { open_reviews }) => sum + open_reviews, 0),
  staleTime: 60_000,
})

const reviewsIn = async (states: readonly string[], signal: AbortSignal): Promise<readonly Review[]> =>
  (
    await call<{ data: readonly Review[] }>(
      'GET',
      `${REVIEWS}${searchOf({ 'filter[state]': states })}`,
      undefined,
      signal,
    )
  ).data

/** The open reviews. The queue stays as it was loaded, so that nothing moves while one decides. */
export const queueQuery = queryOptions({
  queryKey: ['reviews of frameworks', 'queue'],
  queryFn: ({ signal }) => reviewsIn(['open'], signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** The reviews that were decided. */
export const decidedQuery = queryOptions({
  queryKey: [REVIEWS, 'decided'],
  queryFn: ({ signal }) => reviewsIn(['chosen', 'kept'], signal),
})

/** What became of a review on screen. */
export type Outcome = 'chosen' | 'kept' | 'gone'

/** Maps a node to some of its successors wherever it is used; none of them keeps it. */
export async function decideReview(review: number, successors: readonly string[]): Promise<Outcome> {
  try {
    await call('POST', `${REVIEWS}/${review}/choose`, { data: { successors } })
  } catch (error) {
    // Another user was faster, or the load was undone.
    if (!(error instanceof CallError) || ![404, 409].includes(error.status)) throw error
    await invalidate(FRAMEWORKS)
    return 'gone'
  }
  await invalidate(FRAMEWORKS, ANALYSES, DEFENSES, 'entities', 'attacks/heat', 'attacks/coverage')
  return successors.length === 0 ? 'kept' : 'chosen'
}

/** The position of the next review that is open, from a position on and then from the start; undefined if there is none. */
export function nextOpen(
  reviews: readonly Pick<Review, 'id'>[],
  decided: ReadonlyMap<number, Outcome>,
  from: number,
): number | undefined {
  const places = reviews.map((_, i) => (from + i) % reviews.length)
  return places.find((place) => {
    const review = reviews[place]
    return review !== undefined && !decided.has(review.id)
  })
}

/** What was decided about a review, in words. */
export function decidedInWords({ node, successors }: Review, outcome: Outcome, chosen: readonly string[]): string {
  if (outcome === 'gone') return `${node.id} had already been decided, or its load was undone.`
  if (outcome === 'kept') return `${node.id} is kept.`
  const names = successors.filter(({ id }) => chosen.includes(id)).map(({ id, name }) => `${id} ${name}`)
  return `${node.id} is mapped to ${names.join(', ')}.`
}
