import { sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import { searched } from '../../engine/field.ts'
import { list } from '../../engine/read.ts'
import { parseId } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { routesOf } from '../../engine/routes.ts'
import { isOutcomeSeen, outcomeFields } from '../../exchange/files/file-outcomes.ts'
import { isSeen } from './seen.ts'

const outcomes = defineResource({
  collection: 'incoming_blob_outcomes',
  title: 'Incoming blob outcome',
  doc: 'What became of one object that an incoming feed fetched and that you see, and what of it was lost.',
  key: ['id'],
  table: 'file_outcomes',
  permission: 'incoming-feeds',
  fields: outcomeFields,
  places: {
    blob: searched(
      'the id of a blob',
      (text) => (parseId('integer', text) === undefined ? undefined : text),
      (_, values) => sql`t.owner in (select b.file from incoming_blobs as b where b.id = any(${values}::integer[]))`,
    ),
  },
  visible: (ctx, t) => sql`exists (
    select from incoming_blobs as b join incoming_feeds as f on f.id = b.feed
    where b.file = ${sql.ref(`${t}.owner`)} and ${isSeen(ctx, sql`f.source`)} and ${isOutcomeSeen(ctx, t)})`,
  operations: { list },
})

const [listed] = routesOf(outcomes)
if (!listed) throw new TypeError('Outcomes cannot be listed.')

interface Asked {
  readonly feed: number
  readonly blob: number
  readonly plan: unknown
}

/** What became of the objects of a blob, in their order; for those who see the source of its feed. */
export const outcomesOfBlob: Route<Asked> = {
  ...listed,
  path: '/incoming-feeds/:id/blobs/:inner_id/outcomes',
  parse: async (request) => {
    const [feed, blob] = [idIn(request.params.id), idIn(request.params.inner_id)]
    const query = { sort: ['position'], ...request.query, 'filter[blob]': [String(blob)] }
    return { feed, blob, plan: await listed.parse(asked(request, query)) }
  },
  run: async (ctx, { feed, blob, plan }) => {
    const { rows } = await sql`
      select from incoming_blobs as t join incoming_feeds as f on f.id = t.feed
      where t.id = ${blob} and t.feed = ${feed} and ${isSeen(ctx, sql`f.source`)}`.execute(ctx.db)
    if (rows.length === 0) throw notFound(blob)
    return listed.run(ctx, plan)
  },
  answer: (page, ctx, { plan }) => listed.answer(page, ctx, plan),
}

/** The request as if outcomes were a collection by themselves. */
const asked = ({ headers, address }: Incoming, query: Incoming['query']): Incoming => ({
  params: {},
  query,
  headers,
  address,
  body: undefined,
})

function idIn(text = ''): number {
  const id = parseId('integer', text)
  if (id === undefined) throw notFound(text)
  return Number(id)
}
