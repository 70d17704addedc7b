import { type Kysely, sql } from 'kysely'
import { type Coverage, shareOf } from '../../server/attack/defenses/coverage.ts'

interface Relationship {
  readonly defense: number
  readonly technique: string
  readonly type: 'mitigates' | 'detects'
}

interface Reference {
  readonly from: number
  readonly to: number
  readonly type: 'analytic-references' | 'log-source-references'
  readonly name: string
  readonly channel: string
}

/** Everything that the tables say of defenses, to compute from it in plain code what the server computes in SQL. */
export interface Defended {
  readonly techniques: readonly { readonly id: string; readonly matrix: string; readonly external_id: string }[]
  readonly relationships: readonly Relationship[]
  readonly references: readonly Reference[]
  readonly scores: ReadonlyMap<number, number>
  readonly logSources: readonly {
    readonly id: number
    readonly name: string
    readonly channel: string
    readonly is_collected: boolean
  }[]
}

export async function readDefended(db: Kysely<unknown>): Promise<Defended> {
  const techniques = await sql<Defended['techniques'][number]>`
    select id, matrix, external_id from attack_nodes
    where state = 'live' and type in ('technique', 'subtechnique')`.execute(db)
  const relationships = await sql<Relationship>`select defense, technique, type from defense_relationships`.execute(db)
  const references = await sql<Reference>`
    select from_defense as from, to_defense as to, type, name, channel from defense_inner_relationships`.execute(db)
  const scores = await sql<{ defense: number; score: number }>`select defense, score from defense_statuses`.execute(db)
  const logSources = await sql<Defended['logSources'][number]>`
    select id, name, channel, is_collected from log_sources`.execute(db)
  return {
    techniques: techniques.rows,
    relationships: relationships.rows,
    references: references.rows,
    scores: new Map(scores.rows.map(({ defense, score }) => [defense, score])),
    logSources: logSources.rows,
  }
}

/** Which log sources each analytic needs, by their ids. */
export function needsOf({ references, logSources }: Defended): Map<number, Set<number>> {
  const ids = new Map(logSources.map(({ id, name, channel }) => [JSON.stringify([name, channel]), id]))
  const needs = new Map<number, Set<number>>()
  for (const { from, type, name, channel } of references) {
    const id = ids.get(JSON.stringify([name, channel]))
    if (type !== 'log-source-references' || name === '' || id === undefined) continue
    needs.set(from, (needs.get(from) ?? new Set()).add(id))
  }
  return needs
}

/** Each defense with the analytics that it consists of, itself included. */
export function partsOf({ references }: Defended): (defense: number) => number[] {
  const analytics = Map.groupBy(
    references.filter(({ type }) => type === 'analytic-references'),
    ({ from }) => from,
  )
  return (defense) => [...new Set([defense, ...(analytics.get(defense) ?? []).map(({ to }) => to)])]
}

export const collectedIn = ({ logSources }: Defended): ReadonlySet<number> =>
  new Set(logSources.filter(({ is_collected }) => is_collected).map(({ id }) => id))

/** What the coverage of every technique has to be. */
export function coverageIn(defended: Defended): Coverage[] {
  const needs = needsOf(defended)
  const parts = partsOf(defended)
  const collected = collectedIn(defended)
  const byTechnique = Map.groupBy(defended.relationships, ({ technique }) => technique)
  return defended.techniques.map(({ id }) => {
    const all = byTechnique.get(id) ?? []
    const ofType = (type: Relationship['type']) => [
      ...new Set(all.filter((each) => each.type === type).map(({ defense }) => defense)),
    ]
    const detections = ofType('detects')
    const analytics = [...new Set(detections.flatMap(parts))].filter((part) => needs.has(part))
    const lacking = (analytic: number) => [...(needs.get(analytic) ?? [])].filter((each) => !collected.has(each))
    const possible = analytics.filter((analytic) => lacking(analytic).length === 0)
    const scores = all.flatMap(({ defense }) => parts(defense)).map((part) => defended.scores.get(part) ?? 0)
    const best = Math.max(0, ...scores)
    return {
      technique: id,
      mitigations: ofType('mitigates').length,
      detections: detections.length,
      analytics: analytics.length,
      possible_analytics: possible.length,
      best_score: best,
      is_detectable: possible.length > 0,
      share: shareOf(best, possible.length > 0),
      missing_log_sources: [...new Set(analytics.flatMap(lacking))].sort((one, other) => one - other),
    }
  })
}

/** Marks a share of the log sources as collected, and gives scores to a share of the defenses: the same ones for the same seed. */
export async function defendAtRandom(db: Kysely<unknown>, share: number, seed: number): Promise<void> {
  const drawn = (salt: number) => sql`(hashint4extended(id, ${seed * 2 + salt}::bigint) & 1023)`
  await sql`update log_sources set is_collected = ${drawn(0)} < ${Math.round(share * 1024)}::integer`.execute(db)
  await sql`delete from defense_statuses`.execute(db)
  await sql`
    insert into defense_statuses (defense, status, score)
    select id, 'partial', ${drawn(1)} % 5 from attack_defenses
    where ${drawn(1)} < ${Math.round(share * 256)}::integer`.execute(db)
}
