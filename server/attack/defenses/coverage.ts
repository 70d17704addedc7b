import { type RawBuilder, sql } from 'kysely'

/** The score of a defense that is built completely. */
export const MAX_SCORE = 4

/** How much a technique counts as covered if it can be detected with the log sources that are collected, whatever was said of its defenses. */
export const DETECTABLE_SHARE = 0.5

/** What defends against one live technique in one place of a matrix. */
export interface Coverage {
  /** For example `TA0001:T1566`. */
  readonly technique: string
  /** How many defenses mitigate it, and how many detect it. */
  readonly mitigations: number
  readonly detections: number
  /** The analytics of what detects it: all, and those whose log sources are all collected. */
  readonly analytics: number
  readonly possible_analytics: number
  /** The highest score that was given to one of these defenses or analytics, from 0 to 4. */
  readonly best_score: number
  /** Whether one of its analytics is possible. */
  readonly is_detectable: boolean
  /** From 0 to 1. */
  readonly share: number
  /** The ids of the log sources that are not collected and that one of its analytics needs; empty if none is missing. */
  readonly missing_log_sources: readonly number[]
}

/** The share of a technique that is covered: the better of its best defense, and of what can be detected. */
export const shareOf = (bestScore: number, isDetectable: boolean): number =>
  Math.max(bestScore / MAX_SCORE, isDetectable ? DETECTABLE_SHARE : 0)

/**
 * What each analytic lacks: rows of `analytic` and `missing`, the ids of the log sources that are not collected. Something without any log source is no analytic:
 * nothing says what it takes. References without a name do not say which log source they mean, and do not count.
 */
export const ANALYTIC_NEEDS: RawBuilder<unknown> = sql`
  select i.from_defense as analytic, coalesce(array_agg(l.id) filter (where not l.is_collected), '{}') as missing
  from defense_inner_relationships as i
  join log_sources as l on l.name = i.name and l.channel = i.channel
  where i.type = 'log-source-references' and i.name <> ''
  group by i.from_defense`

/**
 * Which defenses each technique has: rows of `technique`, `type`, `defense` (one that works against it) and `part` (that defense itself, or an
 * analytic that it consists of). A part may be in several rows.
 */
export const DEFENSE_PARTS: RawBuilder<unknown> = sql`
  select r.technique, r.type, r.defense, r.defense as part
  from defense_relationships as r
  union all
  select r.technique, r.type, r.defense, i.to_defense
  from defense_relationships as r
  join defense_inner_relationships as i on i.from_defense = r.defense and i.type = 'analytic-references'`

/**
 * A statement with one row of `Coverage` for each live technique and sub-technique in each of its places, of one matrix or of all. It does not depend
 * on the caller: everyone who may read defenses sees the same ones. To be used in a `from`:
 * `select … from heat join (${coverage(matrix)}) as c using (technique)`.
 */
export const coverage = (matrix: string | null = null): RawBuilder<Coverage> => sql<Coverage>`
  with needs as materialized (${ANALYTIC_NEEDS}), counted as materialized (
    select r.technique, count(*) filter (where r.type = 'mitigates') as mitigations, count(*) filter (where r.type = 'detects') as detections
    from defense_relationships as r
    group by r.technique
  ), parts as materialized (
    select p.technique, max(s.score) as score, case when bool_or(p.type = 'detects') then p.part end as detecting
    from (${DEFENSE_PARTS}) as p left join defense_statuses as s on s.defense = p.part
    group by p.technique, p.part
  ), built as materialized (
    select p.technique, max(p.score) as best_score, count(a.analytic) as analytics, count(*) filter (where a.missing = '{}') as possible_analytics
    from parts as p left join needs as a on a.analytic = p.detecting
    group by p.technique
  ), lacking as materialized (
    select p.technique, array_agg(distinct m.id order by m.id) as ids
    from parts as p join needs as a on a.analytic = p.detecting cross join lateral unnest(a.missing) as m(id)
    group by p.technique
  )
  select n.id as technique,
    coalesce(c.mitigations, 0)::integer as mitigations,
    coalesce(c.detections, 0)::integer as detections,
    coalesce(b.analytics, 0)::integer as analytics,
    coalesce(b.possible_analytics, 0)::integer as possible_analytics,
    coalesce(b.best_score, 0) as best_score,
    coalesce(b.possible_analytics, 0) > 0 as is_detectable,
    greatest(coalesce(b.best_score, 0) / ${sql.lit(MAX_SCORE)}::double precision,
      case when b.possible_analytics > 0 then ${sql.lit(DETECTABLE_SHARE)}::double precision else 0 end) as share,
    coalesce(k.ids, '{}') as missing_log_sources
  from attack_nodes as n
  left join counted as c on c.technique = n.id
  left join built as b on b.technique = n.id
  left join lacking as k on k.technique = n.id
  where n.state = 'live' and n.type in ('technique', 'subtechnique')
    and (${matrix}::text is null or n.matrix = ${matrix}::text)`
