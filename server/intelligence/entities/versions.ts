import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context, Item } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { requireVisible } from '../../engine/fetch.ts'
import { readPage } from '../../engine/query.ts'
import { parseId, toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'

interface Version {
  version: number
  at: string
  data: Item
  meta: Item & { taxonomies: number[]; attacks: string[] }
  source: string
}

/** The state of an entity before each of its updates, the latest first. */
export const versionRoutes: readonly Route[] = [
  defineAction({
    name: 'list_entity_versions',
    doc: 'List the previous versions of an entity, the latest first',
    tag: 'entities',
    method: 'GET',
    path: '/entities/:id/versions',
    permission: 'read entities',
    result: z.array(z.looseObject({ version: z.int(), data: z.looseObject({}), meta: z.looseObject({}) })),
    refusals: [400, 404],
    run: async (ctx, _, { params, query }) => {
      const id = String(parseId('uuid', params.id ?? '') ?? '')
      const entities = ctx.resources.get('entities')
      if (!id || !entities) throw notFound(params.id ?? '')
      await requireVisible(ctx, entities, id)
      const { limit, offset } = readPage(query)
      const { rows } = await sql<Version>`
        select v.version, v.at, v.data, v.meta,
          (select s.id from numbered_sources as s where s.number = ${sourceOf(sql`v.vis`)}) as source
        from entity_versions as v
        where v.entity_id = ${id} and ${holdsKey(ctx, sql`v.vis`)}
        order by v.version desc
        limit ${limit} offset ${offset}`.execute(ctx.db)
      const { rows: counted } = await sql<{ total: number }>`
        select count(*) as total from entity_versions as v
        where v.entity_id = ${id} and ${holdsKey(ctx, sql`v.vis`)}`.execute(ctx.db)
      const data = rows.map((row) => shownVersion(ctx, id, row))
      return { count: data.length, data, limit, offset, total_count: counted[0]?.total ?? 0, cursor: null }
    },
    answer: (body) => ({ status: 200, body }),
  }),
]

function shownVersion(ctx: Context, id: string, { version, at, data, meta, source }: Version): Item {
  return {
    id,
    version,
    data,
    meta: {
      ...meta,
      title: meta.alias ? meta.alias : data.title,
      taxonomies: meta.taxonomies.map((node) => toUrl(ctx.baseUrl, 'taxonomies', node)),
      attacks: meta.attacks.map((node) => `${ctx.baseUrl}/api/v2/attacks/${node}`),
      is_outdated_version: true,
    },
    sources: source ? [toUrl(ctx.baseUrl, 'sources', source)] : [],
    last_updated_at: at,
  }
}
