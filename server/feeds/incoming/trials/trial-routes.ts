import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../../engine/action.ts'
import { createSchema, parseOne, patchSchema } from '../../../engine/body.ts'
import type { AnyRow, Context, Item } from '../../../engine/context.ts'
import { notFound } from '../../../engine/errors.ts'
import { checkReferences } from '../../../engine/links.ts'
import { mergeDocuments } from '../../../engine/merge.ts'
import type { Incoming, Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { startSystemRun } from '../../../intelligence/by-query/start-run.ts'
import { reportRoute } from '../../reports.ts'
import { checkTransport, type StoredTransport } from '../check-transport.ts'
import { parseFeedId } from '../run-route.ts'
import { requireSourceAllowed } from '../source-access.ts'
import { trialReport } from './trial-report.ts'

const trialStarted = z.object({ task_run: z.url(), report: z.url().describe('The report, available after the run.') })

const REPORTS = '/incoming-feeds/tests'

const about = {
  tag: 'incoming_feeds',
  method: 'POST' as const,
  permission: 'modify incoming-feeds',
  status: 202,
  result: trialStarted,
}

/** The endpoints that try a feed without storing anything. */
export const trialRoutes: readonly Route[] = [
  defineAction({
    ...about,
    name: 'test_incoming_feed_definition',
    doc: 'Try a feed that is not stored: fetch and import its content without storing anything',
    path: '/incoming-feeds/test',
    body: z.looseObject({}).describe('A feed as for creating it; the name is optional.'),
    example: { transport_type: 'http-download', transport_configuration: { url: 'https://feeds.example/list.txt' } },
    run: async (ctx, given, request) => {
      const resource = resourceOf(ctx, 'incoming_feeds')
      const item = parseOne(resource, createSchema(resource), { data: { name: 'Test', ...given } })
      const definition = checkTransport(ctx, { transport_configuration: {}, ...item }, undefined)
      return start(ctx, request, null, definition)
    },
  }),
  defineAction({
    ...about,
    name: 'test_incoming_feeds',
    doc:
      'Try an incoming feed: fetch and import its content without storing anything. The body can override fields of the feed. ' +
      '`?from_start=true` includes what it has fetched before',
    path: '/incoming-feeds/:id/test',
    body: z.looseObject({}).nullish().describe('Fields that differ from the stored feed.'),
    example: { tags: ['tried'] },
    refusals: [404],
    run: async (ctx, changes, request) => {
      const feed = parseFeedId(ctx, request.params.id)
      await requireSourceAllowed(ctx, feed)
      return start(ctx, request, feed, await changed(ctx, feed, changes ?? {}))
    },
  }),
  reportRoute('incoming_feeds', `${REPORTS}/:run`, 'modify incoming-feeds', trialReport),
]

/** The changes of a request to a stored feed, as they would be stored. */
async function changed(ctx: Context, id: number, changes: Item): Promise<Item> {
  const resource = resourceOf(ctx, 'incoming_feeds')
  const patch = parseOne(resource, patchSchema(resource), { data: changes })
  const { rows } = await sql<StoredTransport & AnyRow>`
    select id, transport_type, transport_configuration, transport_secrets, execution_schedule
    from incoming_feeds where id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return checkTransport(ctx, mergeDocuments(resource, rows[0], patch), rows[0])
}

/** Starts the run. The definition is sealed as a whole, so that its secrets cannot be moved into another definition. */
async function start(ctx: Context, { query }: Incoming, feed: number | null, definition: Item) {
  await checkReferences(ctx, resourceOf(ctx, 'incoming_feeds'), [definition])
  const password = typeof definition.archive_password === 'string' ? ctx.vault.seal(definition.archive_password) : null
  const given = { ...definition, ...(definition.archive_password !== undefined && { archive_password: password }) }
  const task_run = await startSystemRun(ctx, 'Test incoming feeds', 'test-incoming-feed', {
    feed,
    from_start: query.from_start?.[0] === 'true',
    definition: ctx.vault.seal(JSON.stringify({ by: ctx.caller.id, feed, given })),
  })
  return { task_run, report: `${ctx.baseUrl}/api/v2${REPORTS}/${task_run.split('/').at(-1)}` }
}
