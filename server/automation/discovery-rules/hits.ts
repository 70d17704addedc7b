import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { toUrl } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { MAX_TITLES, RECIPIENTS, TITLE } from './recipients.ts'

const MAX_HITS = 50
const KEEP_DAYS = 30

const hit = z.object({
  rule: z.url(),
  name: z.string().describe('The name of the rule.'),
  found_at: z.iso.datetime().describe('When the entities were found.'),
  count: z.int().describe('The number of entities that were found at the same time and that you can see.'),
  entities: z.array(z.object({ entity: z.url(), title: z.string() })).describe(`The latest ${MAX_TITLES} of them.`),
})

interface Found {
  readonly rule: number
  readonly name: string
  readonly found_at: string
  readonly count: number
  readonly entities: readonly { readonly id: string; readonly title: string }[]
}

/** The notifications of the caller about discovered entities, with what they see now. */
export const listHits = defineAction({
  name: 'list_discovery_hits',
  doc: `List the latest ${MAX_HITS} notifications about discovered entities, of the last ${KEEP_DAYS} days`,
  tag: 'discovery_rules',
  method: 'GET',
  path: '/discovery-rules/hits',
  permission: 'read discovery-rules',
  result: z.array(hit),
  run: async (ctx) => {
    if (!ctx.caller.permissions.has('read entities')) return []
    const found = await readHits(ctx)
    return found.map(({ rule, entities, ...rest }) => ({
      rule: toUrl(ctx.baseUrl, 'discovery_rules', rule),
      ...rest,
      entities: entities.map(({ id, title }) => ({ entity: toUrl(ctx.baseUrl, 'entities', id), title })),
    }))
  },
})

async function readHits(ctx: Context): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with own as materialized (
      select r.id, r.name
      from discovery_rules as r
      where ${ctx.caller.id} in (${RECIPIENTS}) and ${visible(ctx, resourceOf(ctx, 'discovery_rules'), 'r')}
    )
    select d.source as rule, own.name, d.discovered_at as found_at, count(*)::integer as count,
      to_jsonb((array_agg(jsonb_build_object('id', e.id, 'title', ${TITLE}) order by e.id desc))[1:${sql.lit(MAX_TITLES)}]) as entities
    from own
    join discovered_entities as d on d.source = own.id and d.written_at is not null
      and d.discovered_at > now() - make_interval(days => ${KEEP_DAYS})
    join entities as e on e.id = d.target and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}
    group by d.source, own.name, d.discovered_at
    order by d.discovered_at desc, d.source
    limit ${MAX_HITS}`.execute(ctx.db)
  return rows
}
