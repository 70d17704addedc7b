import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { computed } from '../../engine/field.ts'
import { Field } from '../../engine/field-class.ts'
import { DEFENSE_PARTS } from './coverage.ts'

/** The references to the log source `t`. */
const REFERENCES = `defense_inner_relationships as i
  where i.type = 'log-source-references' and i.name = t.name and i.channel = t.channel`

const LIVE_TECHNIQUE = `n.state = 'live' and n.type in ('technique', 'subtechnique')`

/** A count for the row `t`, and the same count for all rows at once: lists that are sorted by it take a fraction of the time. */
function count(ofRow: string, ofAll: RawBuilder<unknown>): Field<z.ZodInt, 'read-only'> {
  const { props } = computed('integer', z.int(), ofRow)
  const along = { seen: () => ofAll, takes: 'max' as const }
  return new Field({ ...props, storage: { ...props.storage, along }, isNullable: false })
}

/** The number of analytics that need a log source. */
export const analyticCount = count(
  `select count(distinct i.from_defense)::integer from ${REFERENCES}`,
  sql`
    select l.id, count(distinct i.from_defense)::integer as value
    from log_sources as l
    left join defense_inner_relationships as i
      on i.type = 'log-source-references' and i.name = l.name and i.channel = l.channel
    group by l.id`,
)

/** The number of live techniques that these analytics detect, each counted once for all its places. */
export const techniqueCount = count(
  `select count(distinct n.external_id)::integer
  from (
    select i.from_defense as defense from ${REFERENCES}
    union
    select s.from_defense
    from defense_inner_relationships as s
    where s.type = 'analytic-references' and s.to_defense in (select i.from_defense from ${REFERENCES})
  ) as d
  join defense_relationships as r on r.defense = d.defense and r.type = 'detects'
  join attack_nodes as n on n.id = r.technique and ${LIVE_TECHNIQUE}`,
  sql`
    select l.id, count(distinct d.external_id)::integer as value
    from log_sources as l
    left join (
      select i.name, i.channel, n.external_id
      from defense_inner_relationships as i
      join (${DEFENSE_PARTS}) as p on p.part = i.from_defense and p.type = 'detects'
      join attack_nodes as n on n.id = p.technique and ${sql.raw(LIVE_TECHNIQUE)}
      where i.type = 'log-source-references'
    ) as d on d.name = l.name and d.channel = l.channel
    group by l.id`,
)
