import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { type Coverage, coverage, MAX_SCORE } from '../defenses/coverage.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { COVERAGE_KINDS, type CoveragePlan } from './coverage-parameters.ts'
import { heatOf, outside } from './heat.ts'
import { AGGREGATES } from './heat-parameters.ts'

const logSource = z.object({ id: z.int(), name: z.string(), channel: z.string() })
type LogSource = z.output<typeof logSource>

const defended = z.object({
  id: z.string(),
  count: z.int().describe('The number of entities that count for the technique itself.'),
  score: z.number().describe('The same as in the heat of the matrix.'),
  threat: z.number().min(0).max(1).describe('The score as a share of the largest one.'),
  mitigations: z.int(),
  detections: z.int(),
  analytics: z.int().describe('The analytics of what detects it.'),
  possible_analytics: z.int().describe('Those whose log sources are all collected.'),
  best_score: z.number().min(0).max(MAX_SCORE).describe('The highest score of a defense against it.'),
  is_detectable: z.boolean().describe('Whether one of its analytics is possible.'),
  share: z.number().min(0).max(1).describe('How much of it is covered.'),
  gap: z.number().min(0).max(1).describe('threat × (1 − share)'),
  missing_log_sources: z
    .array(logSource)
    .describe('The log sources that its analytics need and that are not collected.'),
})
type Defended = z.output<typeof defended>

export const gaps = z.object({
  data: z.array(defended).describe('Live techniques and sub-techniques, from the top.'),
  technique_count: z.int().describe('The number of techniques, whatever the limit.'),
  outside: z
    .array(outside)
    .describe('What entities are classified with that is not live, and has no coverage: the same as in the heat.'),
  total_count: z.int().describe('The number of entities that count, classified or not.'),
  largest_score: z.number().describe('The score that is a threat of 1; 0 if no technique has a score.'),
  matrix: z.enum(MATRICES),
  kind: z.enum(COVERAGE_KINDS),
  aggregate: z.enum(AGGREGATES),
  at: z.string().describe('The time that ages are counted from.'),
})
export type Gaps = z.output<typeof gaps>

type Placed = Coverage & { readonly parent: string }

/** A technique with its score, and with the part of it that is not covered. */
interface Threatened {
  readonly covered: Placed
  readonly count: number
  readonly score: number
  readonly open: number
  readonly share: number
}

/** What the caller sees of each technique of a matrix, next to what defends against it. */
export async function gapsOf(ctx: Context, { heat: plan, kind, limit }: CoveragePlan): Promise<Gaps> {
  const { matrix, aggregate } = plan
  const [heat, { rows }] = await Promise.all([
    heatOf(ctx, { ...plan, aggregate: 'none' }),
    sql<Placed>`
      select c.*, n.parent
      from (${coverage(matrix)}) as c join attack_nodes as n on n.id = c.technique`.execute(ctx.db),
  ])
  const found = new Map(heat.data.map((node) => [node.id, node]))
  const techniques = rows.map((covered): Threatened => {
    const { count = 0, score = 0 } = found.get(covered.technique) ?? {}
    return { covered, count, score, open: score * (1 - covered.share), share: covered.share }
  })
  const flown = aggregate === 'none' ? techniques : flow(techniques, aggregate)
  const largest = Math.max(0, ...flown.map(({ score }) => score))
  const ranked = flown
    .map((technique) => measure(technique, largest))
    .filter(IS_OF[kind])
    .toSorted(kind === 'coverage' ? byShare : byGap)
  return {
    data: await withLogSources(ctx, ranked.slice(0, limit ?? ranked.length)),
    technique_count: ranked.length,
    outside: heat.outside,
    total_count: heat.total_count,
    largest_score: largest,
    matrix,
    kind,
    aggregate,
    at: heat.at,
  }
}

/**
 * Lets the scores of sub-techniques, and what is open of them, flow into their technique. Its share is then that of the whole score: what flowed in may be
 * covered better or worse than the technique itself.
 */
function flow(techniques: readonly Threatened[], aggregate: 'sum' | 'max'): Threatened[] {
  const into = aggregate === 'sum' ? (a: number, b: number) => a + b : Math.max
  const children = Map.groupBy(techniques, ({ covered }) => covered.parent)
  return techniques.map((technique) => {
    const all = [technique, ...(children.get(technique.covered.technique) ?? [])]
    const score = all.map((each) => each.score).reduce((a, b) => into(a, b))
    const open = all.map((each) => each.open).reduce((a, b) => into(a, b))
    return all.length === 1 || score === 0 ? technique : { ...technique, score, open, share: 1 - open / score }
  })
}

type Measured = Omit<Defended, 'missing_log_sources'> & { readonly missing: readonly number[] }

function measure({ covered, count, score, open, share }: Threatened, largest: number): Measured {
  const { technique, parent, missing_log_sources, ...rest } = covered
  return {
    id: technique,
    count,
    score,
    threat: largest === 0 ? 0 : score / largest,
    ...rest,
    share,
    gap: largest === 0 ? 0 : open / largest,
    missing: missing_log_sources,
  }
}

const IS_OF: Readonly<Record<CoveragePlan['kind'], (technique: Measured) => boolean>> = {
  all: ({ threat, share }) => threat > 0 || share > 0,
  gap: ({ gap }) => gap > 0,
  coverage: ({ share }) => share > 0,
}

const byId = (a: Measured, b: Measured): number => (a.id < b.id ? -1 : 1)
const byGap = (a: Measured, b: Measured): number =>
  b.gap - a.gap || b.threat - a.threat || b.share - a.share || byId(a, b)
const byShare = (a: Measured, b: Measured): number => b.share - a.share || b.threat - a.threat || byId(a, b)

/** Names the log sources that techniques lack. */
async function withLogSources(ctx: Context, techniques: readonly Measured[]): Promise<Defended[]> {
  const ids = [...new Set(techniques.flatMap(({ missing }) => missing))]
  const { rows } = await sql<LogSource>`
    select id, name, channel from log_sources where id = any(${ids}::integer[])`.execute(ctx.db)
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  return techniques.map(({ missing, ...technique }) => ({
    ...technique,
    missing_log_sources: missing.flatMap((id) => byNumber.get(id) ?? []),
  }))
}
