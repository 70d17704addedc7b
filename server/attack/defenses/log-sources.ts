import { sql } from 'kysely'
import { z } from 'zod'
import { bool, computed, name, ref, searched, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { logSourceOperations } from './log-source-operations.ts'

/** The references to the log source `t`. */
const REFERENCES = `defense_inner_relationships as i
  where i.type = 'log-source-references' and i.name = t.name and i.channel = t.channel`

const ANALYTICS = `select count(distinct i.from_defense)::integer from ${REFERENCES}`

const TECHNIQUES = `
  select count(distinct n.external_id)::integer
  from (
    select i.from_defense as defense from ${REFERENCES}
    union
    select s.from_defense
    from defense_inner_relationships as s
    where s.type = 'analytic-references' and s.to_defense in (select i.from_defense from ${REFERENCES})
  ) as d
  join defense_relationships as r on r.defense = d.defense and r.type = 'detects'
  join attack_nodes as n on n.id = r.technique and n.state = 'live' and n.type in ('technique', 'subtechnique')`

export const logSources = defineResource({
  collection: 'log_sources',
  title: 'Log source',
  doc: 'Events that analytics need. Those that something refers to appear by themselves; say which ones you collect.',
  permission: 'attack',
  key: ['name', 'channel'],
  fields: {
    name: name(),
    channel: text(0, 1000).default(''),
    is_collected: bool().default(false),
    owner: ref('users').nullable(),
    note: text().default(''),
    review_at: timestamp().nullable().describe('When to look at it again.'),
    analytics: computed('integer', z.int(), ANALYTICS).describe('The number of analytics that need it.'),
    techniques: computed('integer', z.int(), TECHNIQUES).describe(
      'The number of techniques and sub-techniques that these analytics detect, each counted once for all its places.',
    ),
    ...stamps,
  },
  search: {
    filters: {
      domains: searched(
        'a matrix',
        (value) => value,
        (_, values) => sql`exists (
          select from defense_inner_relationships as i join attack_defenses as d on d.id = i.from_defense
          where i.type = 'log-source-references' and i.name = t.name and i.channel = t.channel and d.domains && ${values}::text[])`,
      ),
    },
  },
  example: { name: 'Proxy', channel: 'access', is_collected: true, note: 'Kept for 90 days.' },
  operations: logSourceOperations,
})
