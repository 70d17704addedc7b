/** How many look-ups of a run at an enricher ended in the same way. */
export interface RunCount {
  readonly enricher: number
  readonly name: string
  readonly state: 'FOUND' | 'EMPTY' | 'CACHED' | 'SKIPPED' | 'FAILED' | 'NOT_DONE' | 'PENDING'
  readonly reason: string | null
  readonly count: number
}

export type RunState = 'SUCCESS' | 'WARNING' | 'CAP_REACHED' | 'FAILURE'

const sumOf = (counts: readonly RunCount[], ...states: RunCount['state'][]): number =>
  counts.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0)

/** The state in which a run ends. */
export function stateOfRun(counts: readonly RunCount[], capReason: string): RunState {
  if (counts.some(({ state, reason }) => state === 'NOT_DONE' && reason === capReason)) return 'CAP_REACHED'
  const bad = sumOf(counts, 'FAILED', 'NOT_DONE')
  const good = sumOf(counts, 'FOUND', 'EMPTY', 'CACHED')
  if (bad > 0 && good === 0) return 'FAILURE'
  return bad + sumOf(counts, 'SKIPPED') > 0 ? 'WARNING' : 'SUCCESS'
}

const WORDS = [
  ['FOUND', 'found something'],
  ['EMPTY', 'found nothing'],
  ['CACHED', 'were answered by an earlier look-up'],
  ['SKIPPED', 'were skipped'],
  ['FAILED', 'failed'],
  ['NOT_DONE', 'were not done'],
] as const

/** The counts of a run as its result, with a sentence for its readers. */
export function describeRun(counts: readonly RunCount[]) {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const parts = WORDS.flatMap(([state, words]) => {
    const count = sumOf(counts, state)
    return count > 0 ? [`${count} ${words}`] : []
  })
  const reasons = [
    ...new Set(
      counts
        .filter(({ state, reason }) => state !== 'FOUND' && reason !== null)
        .map(({ name, reason }) => `${name}: ${reason}`),
    ),
  ]
  const said = reasons.slice(0, 5).join(' ')
  const more = reasons.length > 5 ? ` ${reasons.length - 5} more reasons are in the outcomes.` : ''
  const summary =
    total === 0
      ? 'There was nothing to look up: no observable that you can see has a type that these enrichers support.'
      : `Of ${total} look-ups, ${parts.join(', ')}.${said ? ` ${said}` : ''}${more}`
  return {
    summary,
    look_ups: total,
    found: sumOf(counts, 'FOUND'),
    empty: sumOf(counts, 'EMPTY'),
    cached: sumOf(counts, 'CACHED'),
    skipped: sumOf(counts, 'SKIPPED'),
    failed: sumOf(counts, 'FAILED'),
    not_done: sumOf(counts, 'NOT_DONE'),
    by_enricher: counts,
  }
}
