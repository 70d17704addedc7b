import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { keysOfUser } from '../../identity/access/sight.ts'
import { tellOf } from '../../mail/hearers.ts'
import { quoted } from '../../mail/quoted.ts'
import type { Hit } from './compare-written.ts'
import { MAX_TITLES, RECIPIENTS, TITLE } from './recipients.ts'

/** What a reader sees of the hits of a rule. */
interface Detail {
  readonly count: number
  readonly titles: readonly string[]
}

/**
 * Mails the hits of a batch to the owners of the rules and the members of their workspaces: one notification per rule, with the entities that
 * the reader sees. A hit was found by the rule, so that users are also notified about what they wrote themselves.
 */
export async function notifyOfHits(ctx: Context, hits: readonly Hit[]): Promise<void> {
  if (hits.length === 0) return
  await tellOf(ctx, [
    {
      choice: 'entity_discovered',
      collection: 'discovery_rules',
      permissions: ['read discovery-rules', 'read entities'],
      concerned: sql`
        with hits as materialized (
          select * from unnest(${hits.map(({ rule }) => rule)}::integer[], ${hits.map(({ entity }) => entity)}::uuid[]) as h(rule, entity)
        ), recipients as materialized (
          select r.id as rule, p."user"
          from discovery_rules as r cross join lateral (${RECIPIENTS}) as p
          where r.id in (select rule from hits)
        ), readers as materialized (
          select u.id, ${keysOfUser(sql`u.id`)} as keys from users as u where u.id in (select "user" from recipients)
        )
        select p.rule as about, p."user", null::integer as actor, 0 as write, jsonb_build_object(
          'count', count(*), 'titles', (array_agg(${TITLE} order by e.id desc))[1:${sql.lit(MAX_TITLES)}]) as detail
        from recipients as p
        join readers as reader on reader.id = p."user"
        join hits as h on h.rule = p.rule
        join entities as e on e.id = h.entity and e.vis = any(reader.keys)
        group by p.rule, p."user"`,
      name: sql`o.name`,
      detail: sql`c.detail`,
      tell: ({ id, name, detail }) => ({ text: textOf(name, detail as Detail), path: `/discovery-rules/${id}` }),
    },
  ])
}

function textOf(name: string, { count, titles }: Detail): string {
  const what = count === 1 ? 'an entity' : `${count} entities`
  const rest = count > titles.length ? ` and ${count - titles.length} more` : ''
  return `The discovery rule ${quoted(name)} found ${what}: ${titles.map(quoted).join(', ')}${rest}.`
}
