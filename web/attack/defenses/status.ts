import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { idOf } from '../../api/lists.ts'
import { wholeQuery } from '../all-pages.ts'
import { ANALYSES } from '../analyses/analysis.ts'
import { percent } from '../gaps/gap.ts'
import { DEFENSES } from './defense.ts'

/** The collection of what users say about defenses. */
export const STATUSES = `${DEFENSES}/statuses`

/** How far a defense is built. */
export const STATUS_NAMES = [
  { value: 'none', label: 'None', color: 'gray' },
  { value: 'planned', label: 'Planned', color: 'blue' },
  { value: 'partial', label: 'Partial', color: 'yellow' },
  { value: 'done', label: 'Done', color: 'green' },
] as const

export type Status = (typeof STATUS_NAMES)[number]['value']

/** The scores that a defense can have. */
export const SCORES = [0, 1, 2, 3, 4] as const

/** The display name of a status. */
export const statusName = (status: string): string =>
  STATUS_NAMES.find(({ value }) => value === status)?.label ?? status

/** What an organisation says about a defense. */
export interface DefenseStatus {
  readonly id: number
  readonly defense: string
  readonly status: Status
  readonly score: number
  readonly owner: string | null
  readonly note: string
  readonly review_at: string | null
}

/** The part of a status that users write. */
export type StatusValues = Pick<DefenseStatus, 'status' | 'score' | 'owner' | 'note' | 'review_at'>

/** The status of a defense about which nothing was said. */
export const NO_STATUS: StatusValues = { status: 'none', score: 0, owner: null, note: '', review_at: null }

const SCORE_RANGES: Readonly<Record<Status, readonly [least: number, most: number, usual: number]>> = {
  none: [0, 0, 0],
  planned: [0, 0, 0],
  partial: [1, 3, 2],
  done: [3, 4, 4],
}

/** The score after a change of status: the one it had if that fits, because coverage is computed from scores. */
export function scoreAfter(status: Status, score: number): number {
  const [least, most, usual] = SCORE_RANGES[status]
  return score >= least && score <= most ? score : usual
}

/** The status after a change of score: the one it had if that fits, because nothing that is not built works. */
export function statusAfter(score: number, status: Status): Status {
  const [least, most] = SCORE_RANGES[status]
  if (score >= least && score <= most) return status
  return score === 0 ? 'none' : score < 4 ? 'partial' : 'done'
}

/** How much a score counts as coverage, in words. */
export const coverageOf = (score: number): string => percent(score / 4)

/** The statuses of all defenses, by the id of the defense; undefined while they are loading. */
export function useStatuses() {
  const list = useQuery(wholeQuery<DefenseStatus>(STATUSES))
  const byDefense = useMemo(
    () => list.data && new Map(list.data.map((each) => [Number(idOf(each.defense)), each])),
    [list.data],
  )
  return { list, byDefense }
}

/** What depends on statuses and log sources. */
export const renewCoverage = (...paths: readonly string[]): Promise<void> =>
  invalidate(...paths, 'attacks/coverage', `${DEFENSES}/log-sources/gains`, ANALYSES)

/** Writes the status of a defense. */
export async function writeStatus(defense: number, values: Partial<StatusValues>): Promise<void> {
  await call('PUT', STATUSES, { data: [{ defense, ...values }] })
  await renewCoverage(STATUSES)
}
