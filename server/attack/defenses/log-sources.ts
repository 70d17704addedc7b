import { sql } from 'kysely'
import { among, bool, name, ref, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { analyticCount, techniqueCount } from './log-source-counts.ts'
import { logSourceOperations } from './log-source-operations.ts'

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
    analytics: analyticCount.describe('The number of analytics that need it.'),
    techniques: techniqueCount.describe(
      'The number of techniques and sub-techniques that these analytics detect, each counted once for all its places.',
    ),
    ...stamps,
  },
  search: {
    filters: {
      domains: among(
        MATRICES,
        (_, values) => sql`exists (
          select from defense_inner_relationships as i join attack_defenses as d on d.id = i.from_defense
          where i.type = 'log-source-references' and i.name = t.name and i.channel = t.channel and d.domains && ${values}::text[])`,
      ),
    },
  },
  example: { name: 'Proxy', channel: 'access', is_collected: true, note: 'Kept for 90 days.' },
  operations: logSourceOperations,
})
