import { type Kysely, sql } from 'kysely'
import { type Job, TaskError } from '../../background/task.ts'
import { signDetached } from '../../domain/openpgp.ts'
import { retried } from '../../engine/retried.ts'
import { createSemaphore } from '../../engine/semaphore.ts'
import { filenameOf } from '../../exchange/exporting/rules.ts'
import { knownSigningKey } from '../../exchange/exporting/signing-key.ts'
import { openLosses } from '../../exchange/exporting/tasks/losses.ts'
import { inPieces } from '../../formats/pieces.ts'
import { blobsOf, storeBlob } from '../../intelligence/stored-blobs/store.ts'
import {
  contentBlocksOfRun,
  type StoredContentBlock,
  storeContentBlock,
} from '../content-blocks/store-content-block.ts'
import { findOutgoingFeed, type OutgoingFeed } from '../outgoing/feed.ts'
import { lockFeed } from '../outgoing/lock-feed.ts'
import { OUTGOING_TRANSPORTS } from '../transports/transports.ts'
import { type Content, openContent, readerOf } from './content.ts'
import { type Keep, planOf } from './plan.ts'
import { type Difference, dropStage, type Stage } from './stage.ts'

type FeedJob = Job<unknown>

/** What a run packaged: blocks in their order; none if nothing changed or the feed is a collection. */
export interface Packaged {
  readonly blocks: readonly StoredContentBlock[]
  readonly entities: number
  readonly differences: Readonly<Record<Difference, number>> | undefined
}

/** How often a run starts over because its feed was changed in the meantime. */
const MAX_ATTEMPTS = 5

/** The feed was changed while its content was written, so that the content is outdated. */
class FeedChanged extends Error {}

/**
 * Writes the next content of a feed, and stores it in one transaction with what consumers hold after it. A run that was interrupted
 * finds the blocks that it stored, and stores no others.
 */
export async function packageFeed(job: FeedJob, id: number): Promise<Packaged> {
  for (let attempt = 1; ; attempt++) {
    const known = await contentBlocksOfRun(job, id, job.id)
    if (known.length > 0) return { blocks: known, entities: 0, differences: undefined }
    try {
      return await inSession(job.db, (session) => packageOnce(job, session, id))
    } catch (error) {
      if (!(error instanceof FeedChanged)) throw error
      if (attempt === MAX_ATTEMPTS)
        throw new TaskError('The feed was changed repeatedly while its content was written.')
      job.log('The feed was changed in the meantime: the run starts over.')
    }
  }
}

/** Limits parallel packaging: each takes a connection to read and one to stage, and requests need some too. */
const packagingSlots = createSemaphore(2)

/** Runs work on its own connection, whose temporary tables last from one statement to the next. */
export const inSession = <T>(db: Kysely<unknown>, work: (session: Stage) => Promise<T>): Promise<T> =>
  packagingSlots(() =>
    db.connection().execute(async (session) => {
      try {
        // A large feed is compared in one statement.
        await sql`set statement_timeout = '1h'`.execute(session)
        await dropStage(session)
        return await work(session)
      } finally {
        // A lost connection takes its temporary tables along.
        await dropStage(session).catch(() => {})
        await sql`reset statement_timeout`.execute(session).catch(() => {})
      }
    }),
  )

/** Reads one state of the database, however long it takes. It is read only, so that no other transaction waits for it. */
export const asOfOneMoment = <T>(db: Kysely<unknown>, read: (db: Kysely<unknown>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

async function packageOnce(job: FeedJob, session: Stage, id: number): Promise<Packaged> {
  const written = await asOfOneMoment(job.db, (db) => write(job, session, db, id))
  const signatures: (Signed | undefined)[] = []
  for (const { sha256 } of written.documents) signatures.push(await sign(job, written.feed, sha256))
  job.signal.throwIfAborted()
  return retried(() =>
    session.transaction().execute((db) => store(job, { ...written, ctx: { ...written.ctx, db } }, signatures)),
  )
}

interface Document {
  readonly sha256: string
  readonly size: number
  readonly items: number
  readonly lossesCount: number
  readonly losses: string | null
}

interface Written extends Pick<Content, 'feed' | 'type' | 'at' | 'ctx'> {
  /** A value that changes with every write of the feed. */
  readonly mark: string
  readonly documents: readonly Document[]
  readonly keep: Keep
  readonly entities: number
  readonly differences: Packaged['differences']
}

/** Reads all content in the one transaction `db`, so that a block shows one moment however long writing takes. */
async function write(job: FeedJob, stage: Stage, db: Kysely<unknown>, id: number): Promise<Written> {
  const { vault, resources, taskTypes } = job
  const feed = await requireFeed(db, id)
  const mark = await markOf(db, id)
  const caller = await readerOf({ db }, feed, feed.owner, NO_OWNER)
  const content = await openContent(
    { db, vault, resources, taskTypes, caller, baseUrl: '' },
    feed,
    new Date().toISOString(),
  )
  job.log(`Found ${content.found.count} entities.`)
  using losses = openLosses(job)
  const strictness = strictnessOf(job, feed)
  const lose = (lostId: string, loss: string) => {
    losses.lose(lostId, loss)
    strictness.lose(lostId, loss)
  }
  const plan = await planOf(stage, content, lose, (share) => {
    job.signal.throwIfAborted()
    job.progress(share)
  })
  const documents: Document[] = []
  for (const { pieces, items } of plan.documents) {
    const { sha256, size } = await storeBlob(job, watched(job, inPieces(pieces), losses.settled))
    documents.push({ sha256, size, items: items(), lossesCount: 0, losses: null })
  }
  strictness.end()
  // All losses are stored with the last document, because only then are they complete.
  const last = documents.pop()
  if (last) documents.push({ ...last, lossesCount: losses.count, losses: await losses.store() })
  const { type, at, ctx } = content
  return {
    feed,
    type,
    at,
    ctx,
    mark,
    documents,
    keep: plan.keep,
    entities: content.found.count,
    differences: plan.differences,
  }
}

/** How many losses are logged before a run that must not lose anything gives up. */
const MAX_LOGGED_LOSSES = 20

/** Makes a run fail that would lose something although its feed requires valid data. */
function strictnessOf(job: FeedJob, { require_valid_data }: OutgoingFeed) {
  let count = 0
  const fail = () => {
    throw new TaskError(
      'Nothing was sent: the feed requires valid data, and the content type cannot represent all of it.',
      { isFinal: true },
    )
  }
  return {
    lose: (id: string, loss: string) => {
      if (!require_valid_data) return
      job.log(`${id}: ${loss}`)
      count++
      if (count === MAX_LOGGED_LOSSES) fail()
    },
    end: () => {
      if (count > 0) fail()
    },
  }
}

const NO_OWNER =
  'The feed runs with the permissions of the user who last saved it, but that account is inactive. Save the feed again to take it over.'

/** The feed of a run. */
export async function requireFeed(db: Kysely<unknown>, id: number): Promise<OutgoingFeed> {
  const feed = await findOutgoingFeed(db, id)
  if (!feed) throw new TaskError('The feed was deleted.', { isFinal: true })
  return feed
}

async function markOf(db: Kysely<unknown>, id: number, lock = sql``): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select xmin::text as mark from outgoing_feeds where id = ${id} ${lock}`.execute(db)
  return rows[0]?.mark ?? ''
}

/** Stops with the run, and waits until losses are written, so that they do not pile up in memory. */
async function* watched({ signal }: FeedJob, pieces: AsyncIterable<Buffer>, settled: () => Promise<void>) {
  for await (const piece of pieces) {
    signal.throwIfAborted()
    yield piece
    await settled()
  }
}

interface Signed {
  readonly signature: string
  readonly signed_with_key_id: string | null
}

async function sign(job: FeedJob, feed: OutgoingFeed, sha256: string): Promise<Signed | undefined> {
  if (!feed.do_sign_content) return undefined
  const { key, keyid } = await knownSigningKey(job)
  return { signature: await signDetached(key, blobsOf(job).open(sha256)), signed_with_key_id: keyid }
}

/** Stores the blocks and what consumers hold after them, in one transaction. */
async function store(job: FeedJob, written: Written, signatures: readonly (Signed | undefined)[]): Promise<Packaged> {
  const { ctx, feed, documents } = written
  const { db } = ctx
  if ((await markOf(db, feed.id, sql`for no key update`)) !== written.mark) throw new FeedChanged()
  await lockFeed(ctx, feed)
  await written.keep(db)
  const blocks: StoredContentBlock[] = []
  for (const [i, document] of documents.entries())
    blocks.push(await storeContentBlock(ctx, blockOf(job, written, document, i + 1, signatures[i])))
  await sql`
    update outgoing_feeds set packaging_status = 'SUCCESS', packaging_last_run_at = now()
    where id = ${feed.id}`.execute(db)
  return { blocks, entities: written.entities, differences: written.differences }
}

const blockOf = (
  job: FeedJob,
  { feed, type, at }: Written,
  document: Document,
  part: number,
  signed: Signed | undefined,
) => ({
  outgoing_feed: feed.id,
  epoch: feed.epoch,
  run_id: job.id,
  part,
  content_type: feed.content_type,
  filename: filenameOf(type, at, part),
  sha256: document.sha256,
  size: document.size,
  items_count: document.items,
  losses_count: document.lossesCount,
  losses: document.losses,
  signature: signed?.signature ?? null,
  signed_with_key_id: signed?.signed_with_key_id ?? null,
  delivery_status: OUTGOING_TRANSPORTS[feed.transport_type].carry ? ('PENDING' as const) : ('READY' as const),
})
