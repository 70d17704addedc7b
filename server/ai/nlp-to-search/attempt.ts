import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { planList } from '../../engine/query.ts'
import { list } from '../../engine/read.ts'
import { resourceOf } from '../../engine/select.ts'
import { type Dropped, readAnswer } from './answer.ts'
import type { Asked } from './asked-times.ts'
import { buildQuery } from './build-query.ts'
import { lookUpValues } from './known-values.ts'
import type { SearchableFields, Searched } from './searchable-fields.ts'

/** What an answer of the model comes to. */
export interface Attempt {
  readonly answer: unknown
  /** A query that runs; null if there is none. */
  readonly query: string | null
  readonly total: number | null
  /** What the query looks for, in words. */
  readonly words: string
  /** What is wrong with the answer. */
  readonly faults: readonly Dropped[]
  readonly notExpressed: readonly Dropped[]
  /** The number of conditions in the answer. */
  readonly count: number
}

interface Ground {
  readonly searched: Searched
  readonly fields: SearchableFields
  readonly asked: Asked
}

/** Builds the query for an answer and counts what it finds for the caller. */
export async function attempt(ctx: Context, answer: Record<string, unknown>, ground: Ground): Promise<Attempt> {
  const { group, faults, notExpressed, count } = readAnswer(answer)
  const known = await lookUpValues(ctx, ground.fields, group)
  const { query, words, dropped } = buildQuery(group, { ...ground, known })
  const made = { answer, notExpressed, count, faults: [...faults, ...dropped] }
  if (query === null) return { ...made, query, words, total: null }
  try {
    return { ...made, query, words, total: await countMatches(ctx, ground.searched, query) }
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 422].includes(error.status)) throw error
    const fault = { clause: query.slice(0, MAX_SHOWN), reason: error.details.join(' ') }
    return { ...made, faults: [...made.faults, fault], query: null, words: '', total: null }
  }
}

const MAX_SHOWN = 300

/** The total that a list shows: exact up to its limit. */
async function countMatches(ctx: Context, searched: Searched, query: string): Promise<number> {
  const resource = resourceOf(ctx, searched)
  const { total } = await list(ctx, resource, planList(resource, { query: [query], data: ['false'] }))
  return total
}

/** What two attempts come to: the repaired one if it is better. Nothing that was wrong is lost. */
export function chooseAttempt(first: Attempt, second: Attempt | undefined) {
  const isBetter = second && (first.query === null ? second.query !== null : isRepaired(first, second))
  if (!isBetter) return { chosen: first, dropped: [...first.faults, ...first.notExpressed], corrected: [] }
  const left = new Set(second.faults.map(keyOf))
  const gone = first.faults.filter((fault) => !left.has(keyOf(fault)))
  // With fewer conditions, what was wrong was left out rather than corrected.
  const isShorter = second.count < first.count
  return {
    chosen: second,
    dropped: [...(isShorter ? gone : []), ...second.faults, ...second.notExpressed],
    corrected: isShorter ? [] : gone,
  }
}

const isRepaired = (first: Attempt, second: Attempt): boolean =>
  second.query !== null && second.faults.length < first.faults.length

const keyOf = ({ clause, reason }: Dropped): string => `${clause}\n${reason}`
