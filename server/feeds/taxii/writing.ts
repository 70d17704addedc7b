import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { forbidden } from '../../engine/errors.ts'
import { retried } from '../../engine/retried.ts'
import type { Route } from '../../engine/route.ts'
import { blobsOf, keepBlobs } from '../../intelligence/stored-blobs/store.ts'
import { readBody } from '../incoming/push.ts'
import { startFeedRun } from '../incoming/start-feed-run.ts'
import { storeArrival } from '../incoming/store-arrival.ts'
import { COLLECTIONS } from './collection-information.ts'
import { findCollection, WRITING } from './collections.ts'
import { defineEndpoint, type TaxiiRequest, taxiiAnswer } from './endpoint.ts'
import { bounded, type Counted, checkEnvelope, largestEnvelope, tooLarge } from './envelope.ts'
import { requireContentType, TAXII } from './media-type.ts'
import * as resources from './resources.ts'
import { readStatus } from './status.ts'

interface Sending extends TaxiiRequest {
  readonly content: Readable
}

/** 5.5: adds objects to a collection, an incoming feed that processes them like fetched content. */
const addObjects = defineEndpoint<object, Sending>({
  method: 'POST',
  path: `${COLLECTIONS}/:id/objects`,
  permission: WRITING,
  // The body may take long to arrive; no database connection must wait for it.
  isDetached: true,
  takes: 'anything',
  doc: {
    operationId: 'add_taxii_objects',
    summary: 'TAXII: add objects to a collection',
    body: resources.sentEnvelope,
    success: { 202: resources.status },
    refusals: [404, 413, 415, 422],
  },
  admit: ({ headers }) => requireContentType(headers['content-type']),
  parse: ({ body, ...asked }) => ({ ...asked, content: body instanceof Readable ? body : Readable.from([]) }),
  run: async (ctx, { params, headers, content }) => {
    const { kind, feed } = await findCollection(ctx, params.id ?? '')
    if (kind !== 'incoming') throw forbidden('This collection can be read, but not written to.')
    const most = largestEnvelope(ctx)
    if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(most)
    await using spooled = await blobsOf(ctx).spool(bounded(readBody(content), most))
    const { size } = spooled
    const counted = await checkEnvelope({ name: '', size, open: () => spooled.open() })
    await using draft = await blobsOf(ctx).receive(spooled.open())
    await keepBlobs(ctx, [draft])
    return store(ctx, feed, draft, counted)
  },
  answer: (status) => taxiiAnswer(status, 202),
})

/** Stores an envelope for the feed together with its status for the sender. */
function store(
  ctx: Context,
  feed: number,
  draft: Parameters<typeof storeArrival>[2],
  counted: Counted,
): Promise<object> {
  // 2: UUID version 4.
  const id = randomUUID()
  const transact = () =>
    ctx.db.transaction().execute(async (db) => {
      const within = { ...ctx, db, lookup: undefined }
      const { blob } = await storeArrival(within, feed, draft, {
        name: `envelope ${id}.json`,
        contentType: TAXII,
        isPart: true,
      })
      const { rows } = await sql<{ is_pending: boolean }>`
        insert into taxii_statuses (id, blob, owner, total_count, objects)
        select ${id}::uuid, b.id, ${ctx.caller.id}, ${counted.count}, ${JSON.stringify(counted.objects)}::jsonb
        from incoming_blobs as b
        where b.id = ${blob}
        returning (select state = 'PENDING' from incoming_blobs where id = blob) as is_pending`.execute(db)
      if (rows[0]?.is_pending) await startFeedRun(within, feed, { collect: false })
      return readStatus(within, id)
    })
  return retried(transact)
}

/** 5.7: no collection can be both read and written to, so that none allows deleting objects. */
const deleteObject = defineEndpoint<never>({
  method: 'DELETE',
  path: `${COLLECTIONS}/:id/objects/:object_id`,
  permission: WRITING,
  isDetached: true,
  doc: {
    operationId: 'delete_taxii_object',
    summary: 'TAXII: delete an object of a collection; always refused',
    success: { 200: null },
    refusals: [404],
  },
  run: async (ctx, { params }) => {
    await findCollection(ctx, params.id ?? '')
    throw forbidden('Objects cannot be deleted from collections.')
  },
  answer: () => taxiiAnswer({}),
})

export const writingRoutes: readonly Route[] = [addObjects, deleteObject]
