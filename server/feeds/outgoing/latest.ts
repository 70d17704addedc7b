import { sql } from 'kysely'
import { ApiError, notFound } from '../../engine/errors.ts'
import { parseId } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { type Block, documentOf, partAnswer, signatureOf } from '../../exchange/block-content.ts'
import { findContentBlock } from '../content-blocks/find.ts'
import { mayRead } from './access.ts'

interface Asked {
  readonly feed: string
  readonly headers: Incoming['headers']
}

/** Where the newest block of a feed is served, and to whom. */
interface Served {
  readonly path: string
  readonly permission: string
  readonly tag: string
  /** Ends the names of the operations. */
  readonly suffix?: string
  readonly base?: string
}

/** What the newest block of a feed has, at an address that stays: for firewalls, and for feeds of other installations. */
export const latestRoutes = (served: Served): Route<Asked, Answer>[] => [
  latestRoute(served, 'content', 'Download the content of the newest block of an outgoing feed', documentOf),
  latestRoute(served, 'signature', 'Download the detached OpenPGP signature of the newest block', signatureOf),
]

const latestRoute = (
  { path, permission, tag, suffix = '', base }: Served,
  part: string,
  summary: string,
  partOf: typeof documentOf,
): Route<Asked, Answer> => ({
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

/** The newest block that is kept, since the feed last began from the start. */
export async function findLatest(ctx: Context, feed: string): Promise<Block> {
  const { rows } = await sql<{ id: number | null }>`
    select b.id
    from outgoing_feeds as t
    left join content_blocks as b on b.outgoing_feed = t.id and b.epoch = t.epoch and b.purged_at is null
    where t.id = ${parseId('integer', feed) ?? null} and ${mayRead(ctx, 't')}
    order by b.id desc
    limit 1`.execute(ctx.db)
  const [newest] = rows
  if (!newest) throw notFound(feed)
  if (newest.id === null)
    throw new ApiError(404, 'The feed has published nothing yet, or nothing of it is kept any more.')
  return findContentBlock(ctx, newest.id)
}
