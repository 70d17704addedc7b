import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import { quota, quotaOf } from '../enricher-state.ts'
import { findFunctions } from '../find-function.ts'
import { readCandidates, readRules } from '../requests/candidates.ts'
import { classify } from '../requests/classify.ts'
import { findObservables } from './found-observables.ts'
import type { EnrichParameters } from './selection.ts'

export const forecastResult = z.object({
  observables: z.int().describe('The number of observables that you can see.'),
  by_type: z.record(z.string(), z.int()),
  enrichers: z.array(
    z.object({
      enricher: z.int(),
      name: z.string(),
      supported: z.int().describe('How many have a type that it looks up.'),
      cached: z.int().describe('How many have a valid result.'),
      skipped: z.int().describe('How many are on an exclusion list, or above its maximum colour.'),
      look_ups: z.int(),
      calls: z.int().describe('The most calls that these look-ups take.'),
      cost: z.number().nullable(),
      days: z.number().nullable().describe('How long they take at its limits; null without limits.'),
      fits: z
        .boolean()
        .describe('Whether what is left of its limits for the month and for windows of a day or more is enough.'),
      quota,
    }),
  ),
})

export type Forecast = z.output<typeof forecastResult>

const BATCH_SIZE = 5000
const SECONDS_PER_DAY = 86_400
/** Shorter windows only slow look-ups down. */
const LONG_SECONDS = 86_400

interface Known {
  readonly id: number
  readonly enricher: string
  readonly cost_per_call: number | null
  readonly quota: z.output<typeof quota>
}

/** Says what a run would do now, by the same decisions. */
export const forecast = async (ctx: Context, wanted: EnrichParameters): Promise<Forecast> =>
  forecastOf(ctx, wanted.enrichers, await findObservables(ctx, wanted), wanted.force)

/** Says what asking enrichers about observables would take. */
export async function forecastOf(
  ctx: Context,
  enrichers: readonly number[],
  ids: readonly number[],
  isForced = false,
): Promise<Forecast> {
  const rules = await readRules(ctx, enrichers, true)
  const exclusion = await readExclusions(ctx.db)
  const byType = new Map<string, number>()
  const counts = rules.map(() => ({ supported: 0, cached: 0, skipped: 0, look_ups: 0 }))
  let observables = 0
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const candidates = await readCandidates(ctx, ids.slice(from, from + BATCH_SIZE), enrichers)
    observables += candidates.length
    for (const candidate of candidates) {
      byType.set(candidate.type, (byType.get(candidate.type) ?? 0) + 1)
      for (const [i, enricher] of rules.entries()) {
        const verdict = classify(candidate, enricher, exclusion, isForced)
        const count = counts[i]
        if (!verdict || !count) continue
        count.supported++
        count[verdict.kind === 'look-up' ? 'look_ups' : verdict.kind]++
      }
    }
  }
  const { rows } = await sql<Known>`
    select t.id, t.enricher, t.cost_per_call, ${quotaOf()} as quota from enrichers as t
    where t.id = any(${enrichers}::integer[])`.execute(ctx.db)
  const functions = await findFunctions(
    ctx.db,
    rows.map(({ enricher }) => enricher),
  )
  return {
    observables,
    by_type: Object.fromEntries([...byType].sort(([a], [b]) => (a < b ? -1 : 1))),
    enrichers: rules.map(({ id, name }, i) => {
      const count = counts[i] ?? { supported: 0, cached: 0, skipped: 0, look_ups: 0 }
      const known = rows.find((row) => row.id === id)
      const calls = count.look_ups * (functions.get(known?.enricher ?? '')?.requestsPerLookUp ?? 1)
      const windows = known?.quota ?? []
      const cost = known?.cost_per_call ?? null
      return {
        enricher: id,
        name,
        ...count,
        calls,
        cost: cost === null ? null : Math.round(cost * calls * 1e6) / 1e6,
        days: daysOf(calls, windows),
        fits: windows.every(({ seconds, left }) => (seconds !== null && seconds < LONG_SECONDS) || calls <= left),
        quota: windows,
      }
    }),
  }
}

/** The time at the strictest limit; a month counts as 30 days. */
function daysOf(calls: number, windows: z.output<typeof quota>): number | null {
  if (windows.length === 0) return null
  const days = windows.map(({ seconds, calls: allowed }) => {
    const length = (seconds ?? 30 * SECONDS_PER_DAY) / SECONDS_PER_DAY
    return allowed === 0 ? (calls === 0 ? 0 : 36_500) : Math.max(0, (calls / allowed - 1) * length)
  })
  return Math.round(Math.max(...days) * 1000) / 1000
}
