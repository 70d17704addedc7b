import { sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import { searched } from '../../engine/field.ts'
import { list } from '../../engine/read.ts'
import { parseId } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { routesOf } from '../../engine/routes.ts'
import { isOutcomeSeen, outcomeFields } from '../../exchange/files/file-outcomes.ts'
import { isSourceAllowed } from './source-access.ts'

const outcomes = defineResource({
  collection: 'incoming_blob_outcomes',
  title: 'Incoming blob outcome',
  doc: 'The outcome of one object that an incoming feed fetched and that you may see, including what was lost.',
  key: ['id'],
  table: 'file_outcomes',
  permission: 'incoming-feeds',
  fields: outcomeFields,
  search: {
    filters: {
      blob: searched(
        'the id of a blob',
        (text) => (parseId('integer', text) === undefined ? undefined : text),
        (_, values) => sql`t.owner in (select b.file from incoming_blobs as b where b.id = any(${values}::integer[]))`,
      ),
    },
  },
  visible: (ctx, t) => sql`exists (
    select from incoming_blobs as b join incoming_feeds as f on f.id = b.feed
    where b.file = ${sql.ref(`${t}.owner`)} and ${isSourceAllowed(ctx, sql`f.source`)} and ${isOutcomeSeen(ctx, t)})`,
  operations: { list },
})

const [listed] = routesOf(outcomes)
if (!listed) throw new TypeError('Outcomes cannot be listed.')

interface OutcomesRequest {
  readonly feed: number
  readonly blob: number
  readonly plan: unknown
}

/** The endpoint for the outcomes of the objects of a blob, in their order, for callers who see the source of its feed. */
export const outcomesOfBlob: Route<OutcomesRequest> = {
  ...listed,
  path: '/incoming-feeds/:id/blobs/:inner_id/outcomes',
  parse: async (request) => {
    const [feed, blob] = [parseIntegerId(request.params.id), parseIntegerId(request.params.inner_id)]
    const query = { sort: ['position'], ...request.query, 'filter[blob]': [String(blob)] }
    return { feed, blob, plan: await listed.parse(asListRequest(request, query)) }
  },
  run: async (ctx, { feed, blob, plan }) => {
    const { rows } = await sql`
      select from incoming_blobs as t join incoming_feeds as f on f.id = t.feed
      where t.id = ${blob} and t.feed = ${feed} and ${isSourceAllowed(ctx, sql`f.source`)}`.execute(ctx.db)
    if (rows.length === 0) throw notFound(blob)
    return listed.run(ctx, plan)
  },
  answer: (page, ctx, { plan }) => listed.answer(page, ctx, plan),
}

/** The request as if outcomes were a top-level collection. */
const asListRequest = ({ headers, address }: Incoming, query: Incoming['query']): Incoming => ({
  params: {},
  query,
  headers,
  address,
  body: undefined,
})

function parseIntegerId(text = ''): number {
  const id = parseId('integer', text)
  if (id === undefined) throw notFound(text)
  return Number(id)
}
