import { type Job, TaskError } from '../../background/task.ts'
import type { Item } from '../../engine/context.ts'
import { isDatabaseAway } from '../../engine/errors.ts'
import { contentTypeOf } from '../../formats/formats.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import { TransportError } from '../collecting/collector.ts'
import {
  beginAttempt,
  markDelivered,
  markReady,
  type PendingBlock,
  pendingBlocks,
  recordDeliveryError,
  recordRecipient,
  supersedeOldBlocks,
} from '../content-blocks/delivery.ts'
import { findOutgoingFeed, type OutgoingFeed } from '../outgoing/feed.ts'
import { configurationWithSecrets } from '../transports/transport-secrets.ts'
import { OUTGOING_TRANSPORTS } from '../transports/transports.ts'
import type { Carrier, Carrying, Parcel } from './carrier.ts'
import { carrierOf } from './carriers.ts'

/** The result of delivering the waiting blocks. */
export interface Deliveries {
  readonly delivered: number
  readonly pending: number
}

/**
 * Delivers the waiting blocks of a feed, oldest first, and stops at the first that fails, because each builds on those before it. If
 * every block replaces the earlier ones, only the newest is delivered. Each delivery is recorded as soon as the block has arrived; a
 * crash before that delivers the same block again, with the same id.
 */
export async function deliverBlocks(job: Job<unknown>, feedId: number): Promise<Deliveries> {
  const feed = await findOutgoingFeed(job.db, feedId)
  if (!feed) throw new TaskError('The feed was deleted.', { isFinal: true })
  const carrier = await carrierOf(feed.transport_type)
  if (!carrier) {
    // The transport may have changed since the blocks were written.
    await markReady(job, feed.id)
    return { delivered: 0, pending: 0 }
  }
  if (feed.update_strategy === 'REPLACE') {
    const superseded = await supersedeOldBlocks(job, feed.id)
    if (superseded > 0) job.log(`${superseded} waiting blocks are superseded by a newer one.`)
  }
  const blocks = await pendingBlocks(job, feed.id)
  if (blocks.length === 0) return { delivered: 0, pending: 0 }
  const carrying = carryingOf(job, feed)
  let delivered = 0
  for (const block of blocks) {
    job.signal.throwIfAborted()
    if (await deliver(job, feed, block, carrier, carrying)) delivered++
  }
  return { delivered, pending: 0 }
}

/** Delivers a block; false if it was purged in the meantime. */
async function deliver(
  job: Job<unknown>,
  feed: OutgoingFeed,
  block: PendingBlock,
  carrier: Carrier,
  carrying: Carrying,
): Promise<boolean> {
  const attempt = await beginAttempt(job, block.id)
  if (attempt === undefined) return false
  try {
    await carrier(parcelOf(job, feed, block, attempt), carrying)
  } catch (error) {
    // Stopping the run is not a failure of the delivery.
    if (job.signal.aborted) throw job.signal.reason
    if (isDatabaseAway(error)) throw error
    await recordDeliveryError(job, block.id, error instanceof TransportError ? error.message : INTERNAL)
    throw error
  }
  await markDelivered(job, block.id)
  job.log(`Delivered block ${block.id}: ${block.items_count} items, ${block.size} bytes.`)
  return true
}

const INTERNAL = 'An internal error ended the delivery; see the log of the server.'

function carryingOf(job: Job<unknown>, feed: OutgoingFeed): Carrying {
  const { outbound, feedFolders: folders = [], signal } = job
  if (!outbound) throw new TypeError('This process cannot call other servers.')
  return { server: job, configuration: configurationOf(job, feed), outbound, folders, signal, log: job.log }
}

function configurationOf({ vault }: Job<unknown>, feed: OutgoingFeed): Item {
  try {
    return configurationWithSecrets(vault, OUTGOING_TRANSPORTS[feed.transport_type], feed)
  } catch (error) {
    const reason = 'the secrets of the transport were sealed with another secret key; enter them again'
    throw new TransportError('configuration', reason, { cause: error })
  }
}

function parcelOf(job: Job<unknown>, feed: OutgoingFeed, block: PendingBlock, attempt: number): Parcel {
  return {
    id: block.id,
    feed: { id: feed.id, name: feed.name },
    filename: block.filename,
    size: block.size,
    sha256: block.sha256,
    contentType: block.content_type,
    mediaType: contentTypeOf(block.content_type)?.mediaType ?? 'application/octet-stream',
    itemsCount: block.items_count,
    createdAt: block.created_at,
    signature: block.signature,
    attempt,
    reached: block.reached,
    reach: (recipient) => recordRecipient(job, block.id, recipient),
    open: () => bytesOf(job, block.sha256),
  }
}

/** The bytes of a block. An error of the blob store must not be taken for one of the receiver, which is recognised by its code. */
async function* bytesOf(job: Job<unknown>, sha256: string): AsyncGenerator<Buffer> {
  const pieces = blobsOf(job).open(sha256)[Symbol.asyncIterator]()
  const next = () =>
    pieces.next().catch((error) => {
      throw new Error('The bytes of the block cannot be read.', { cause: error })
    })
  try {
    for (let piece = await next(); !piece.done; piece = await next()) yield piece.value
  } finally {
    await pieces.return?.()
  }
}
