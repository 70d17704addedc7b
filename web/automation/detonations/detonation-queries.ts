import { listQuery, oneQuery, type Page, type Parameters } from '../../api/lists.ts'
import type { Detonation as Stored } from '../../api/resources.ts'

/** What the API computes may be null. */
type Nullable = 'size' | 'hashes' | 'state_reason' | 'report_url' | 'sample_url' | 'submitted_at' | 'finished_at'

/** A detonation as the API returns it. */
export type Detonation = Omit<Stored, Nullable> & { readonly [K in Nullable]: Stored[K] | null }

/** A detonation in a list, which has no records of the report. */
export type ListedDetonation = Omit<
  Detonation,
  'entities' | 'extracts' | 'attacks' | 'processes' | 'network' | 'signatures' | 'dropped_files' | 'screenshots'
>

const UNDER_WAY: readonly Detonation['state'][] = ['WAITING', 'CHECKING', 'SUBMITTING', 'RUNNING', 'REPORTING']

/** Whether a detonation has not ended yet. */
export const isUnderWay = ({ state }: Pick<Detonation, 'state'>): boolean => UNDER_WAY.includes(state)

/** How often detonations are read while they are under way. */
const BUSY_MS = 2_000
const LIST_BUSY_MS = 4_000

/** One detonation, refreshed until it has ended. */
export const detonationQuery = (id: string) => ({
  ...oneQuery<Detonation>(`detonations/${id}`),
  refetchInterval: ({ state }: { state: { data?: Detonation | undefined } }) =>
    state.data && isUnderWay(state.data) ? BUSY_MS : false,
})

/** Detonations, latest first, refreshed while any is under way. */
export const detonationsQuery = (parameters: Parameters) => ({
  ...listQuery<ListedDetonation>('detonations', { sort: '-requested_at', ...parameters }),
  refetchInterval: ({ state }: { state: { data?: Page<ListedDetonation> | undefined } }) =>
    state.data?.data.some(isUnderWay) ? LIST_BUSY_MS : false,
})
