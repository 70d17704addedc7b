import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { ApiError, notFound } from '../../engine/errors.ts'
import { parseId } from '../../engine/reference.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { type Block, documentOf, partAnswer, signatureOf } from '../../exchange/block-content.ts'
import { findContentBlock } from '../content-blocks/find-content-block.ts'
import { mayReadContent } from './content-access.ts'

interface LatestRequest {
  readonly feed: string
  readonly headers: Incoming['headers']
}

/** Where the newest block of a feed is served, and the permission for it. */
interface Endpoint {
  readonly path: string
  readonly permission: string
  readonly tag: string
  /** The suffix of the operation ids. */
  readonly suffix?: string
  readonly base?: string
}

/** The endpoints of the newest block of a feed, at a stable address for firewalls and for feeds of other installations. */
export const latestRoutes = (endpoint: Endpoint): Route<LatestRequest, Answer>[] => [
  latestRoute(endpoint, 'content', 'Download the content of the newest block of an outgoing feed', documentOf),
  latestRoute(endpoint, 'signature', 'Download the detached OpenPGP signature of the newest block', signatureOf),
]

const latestRoute = (
  { path, permission, tag, suffix = '', base }: Endpoint,
  part: string,
  summary: string,
  partOf: typeof documentOf,
): Route<LatestRequest, Answer> => ({
  method: 'GET',
  ...(base !== undefined && { base }),
  path: `${path}/:id/latest/${part}`,
  permission,
  doc: {
    operationId: `latest_${part}_outgoing_feed${suffix}`,
    summary,
    tag,
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 410, 416],
  },
  parse: ({ params, headers }) => ({ feed: params.id ?? '', headers }),
  run: async (ctx, { feed, headers }) => partAnswer(headers, partOf(ctx, await findLatest(ctx, feed))),
  answer: (answer) => answer,
})

/** The newest block that is not purged, since the feed was last restarted. */
export async function findLatest(ctx: Context, feed: string): Promise<Block> {
  const { rows } = await sql<{ id: number | null }>`
    select b.id
    from outgoing_feeds as t
    left join content_blocks as b on b.outgoing_feed = t.id and b.epoch = t.epoch and b.purged_at is null
    where t.id = ${parseId('integer', feed) ?? null} and ${mayReadContent(ctx, 't')}
    order by b.id desc
    limit 1`.execute(ctx.db)
  const [newest] = rows
  if (!newest) throw notFound(feed)
  if (newest.id === null)
    throw new ApiError(404, 'The feed has not published anything yet, or all of its content was purged.')
  return findContentBlock(ctx, newest.id)
}
