import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { type Nodes, readNodes } from '../classification/nodes.ts'
import { MATRICES, type Matrix } from '../frameworks/framework.ts'
import { heatOf } from '../heat/heat.ts'
import { ANALYTIC_NEEDS, DEFENSE_PARTS } from './coverage.ts'
import type { GainsPlan } from './gains-parameters.ts'

/** At most this many techniques are listed for each gain. */
const MAX_OPENED = 10

const logSource = z.object({ id: z.int(), name: z.string(), channel: z.string() })
type LogSource = z.output<typeof logSource>

const opened = z.object({
  id: z.string().describe('The id of the publisher, such as T1566.001.'),
  name: z.string(),
  nodes: z.array(z.string()).describe('Its places in the matrix that would become detectable.'),
  threat: z.number().describe('The greatest score of these places, as a share of the largest score in the matrix.'),
})
type Opened = z.output<typeof opened>

const gain = z.object({
  analytics: z.int().describe('The number of analytics that would become possible: it is the last that they need.'),
  techniques: z.int().describe('The number of techniques and sub-techniques that would become detectable.'),
  threat: z.number().describe('The sum of the threats of these techniques.'),
  opens: z.array(opened).describe(`The ${MAX_OPENED} of these techniques with the greatest threat.`),
})
type Gain = z.output<typeof gain>

export const gains = z.object({
  data: z.array(gain.extend({ log_source: logSource })).describe('What collecting each log source alone would open.'),
  together: gain
    .extend({ log_sources: z.array(logSource) })
    .nullable()
    .describe('What collecting all of `log_sources` would open; null without that parameter.'),
  total_count: z.int().describe('The number of log sources before `limit`.'),
  largest_score: z.number().describe('The score that is a threat of 1; 0 if no technique has a score.'),
  matrix: z.enum(MATRICES),
})
export type Gains = z.output<typeof gains>

/** What collecting log sources would open, weighted by what the caller sees of the techniques. */
export async function gainsOf(ctx: Context, { heat: plan, limit, logSources }: GainsPlan): Promise<Gains> {
  const { matrix } = plan
  const named = logSources === null ? null : await findLogSources(ctx, logSources)
  const [heat, nodes, openings] = await Promise.all([
    heatOf(ctx, plan),
    readNodes(ctx),
    findOpenings(ctx, matrix, logSources ?? []),
  ])
  const scores = new Map(heat.data.filter(({ id }) => isPlaced(id)).map(({ id, score }) => [id, score]))
  const largest = [...scores.values()].reduce((one, other) => Math.max(one, other), 0)
  const threatOf = (id: string) => (largest === 0 ? 0 : (scores.get(id) ?? 0) / largest)
  const weighed = (opening: Pick<Opening, 'analytics' | 'nodes'> | undefined): Gain =>
    weigh(opening ?? { analytics: 0, nodes: [] }, nodes, threatOf)
  const alone = new Map(
    openings.flatMap((each) => (each.log_source === null ? [] : [[each.log_source.id, each] as const])),
  )
  const asked = named ?? [...alone.values()].flatMap(({ log_source }) => log_source ?? [])
  const ranked = asked
    .map((each) => ({ log_source: each, ...weighed(alone.get(each.id)) }))
    .toSorted((a, b) => byGain(a, b) || a.log_source.id - b.log_source.id)
  return {
    data: ranked.slice(0, limit),
    together: named && { log_sources: named, ...weighed(openings.find(({ log_source }) => log_source === null)) },
    total_count: ranked.length,
    largest_score: largest,
    matrix,
  }
}

/** Whether an id is that of a technique below its tactic. */
const isPlaced = (id: string): boolean => id.includes(':')

async function findLogSources(ctx: Context, ids: readonly Id[]): Promise<LogSource[]> {
  const { rows } = await sql<LogSource>`
    select id, name, channel from log_sources where id = any(${ids}::integer[]) order by id`.execute(ctx.db)
  const known = new Set<Id>(rows.map(({ id }) => id))
  const faults = ids.filter((id) => !known.has(id)).map((id) => `log_sources: there is no '${id}' in log_sources.`)
  if (faults.length > 0) throw badRequest(faults)
  return rows
}

/** What one log source would open, or all that were asked for. */
interface Opening {
  /** Null for all together. */
  readonly log_source: LogSource | null
  readonly analytics: number
  /** The techniques that would become detectable, each in all its places. */
  readonly nodes: readonly string[]
}

/**
 * The openings of all log sources that open something alone, and of a set together. An analytic becomes possible if everything that it
 * lacks is collected, and a technique that is not detectable becomes so with its first analytic.
 */
async function findOpenings(ctx: Context, matrix: Matrix, together: readonly Id[]): Promise<readonly Opening[]> {
  const { rows } = await sql<Opening>`
    with needs as materialized (${ANALYTIC_NEEDS}), detecting as materialized (
      select distinct p.technique, p.part as analytic, a.missing
      from (${DEFENSE_PARTS}) as p
      join needs as a on a.analytic = p.part
      join attack_nodes as n on n.id = p.technique
      where p.type = 'detects' and n.matrix = ${matrix} and n.state = 'live' and n.type in ('technique', 'subtechnique')
    ), detectable as materialized (
      select distinct technique from detecting where missing = '{}'
    ), opening as materialized (
      -- The same log source may be missing for several data components.
      select missing[1] as log_source, analytic, technique
      from detecting
      where missing <> '{}' and missing <@ missing[1:1]
      union all
      select null, analytic, technique
      from detecting
      where missing <> '{}' and missing <@ ${together}::integer[]
    ), counted as (
      select log_source, count(distinct analytic)::integer as analytics,
        coalesce(array_agg(distinct technique) filter (where technique not in (select technique from detectable)), '{}') as nodes
      from opening
      group by log_source
    )
    select case when l.id is not null then json_build_object('id', l.id, 'name', l.name, 'channel', l.channel) end as log_source,
      c.analytics, c.nodes
    from counted as c left join log_sources as l on l.id = c.log_source`.execute(ctx.db)
  return rows
}

/** What an opening is worth. A technique counts once, whatever the number of its places. */
function weigh(
  { analytics, nodes: ids }: Pick<Opening, 'analytics' | 'nodes'>,
  nodes: Nodes,
  threatOf: (id: string) => number,
): Gain {
  const byTechnique = Map.groupBy(ids, (id) => nodes.get(id)?.external_id ?? id)
  const techniques = [...byTechnique].map(
    ([id, places]): Opened => ({
      id,
      name: nodes.get(places[0] ?? '')?.name ?? id,
      nodes: places.toSorted(),
      threat: Math.max(...places.map(threatOf)),
    }),
  )
  const ranked = techniques.toSorted((a, b) => b.threat - a.threat || (a.id < b.id ? -1 : 1))
  return {
    analytics,
    techniques: ranked.length,
    threat: ranked.reduce((sum, { threat }) => sum + threat, 0),
    opens: ranked.slice(0, MAX_OPENED),
  }
}

const byGain = (a: Gain, b: Gain): number =>
  b.threat - a.threat || b.techniques - a.techniques || b.analytics - a.analytics
