import { Readable } from 'node:stream'
import type { Context } from '../../engine/context.ts'
import { ApiError, badRequest } from '../../engine/errors.ts'
import { isArchive, unpack } from '../../formats/archive/unpack.ts'
import { type Document, DocumentError } from '../../formats/document.ts'
import { binaryKind } from '../../formats/recognising/binary-kind.ts'
import { headOf } from '../../formats/recognising/head.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import { type Spooled, TooLarge } from '../../ports/blobs.ts'
import { OutboundError } from '../../ports/outbound.ts'

const MIB = 2 ** 20
/** Four times what the largest official bundle has. */
export const MAX_BYTES = 200 * MIB
const TIMEOUT_MS = 5 * 60_000
const IDLE_MS = 60_000

/** Receives an upload to a temporary file. */
export async function receive(ctx: Context, content: AsyncIterable<Uint8Array>): Promise<Spooled> {
  try {
    return await blobsOf(ctx).spool(content, Math.min(ctx.largestFile ?? MAX_BYTES, MAX_BYTES))
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(error.mostBytes) : error
  }
}

/** Downloads a document to a temporary file. */
export async function download(ctx: Context, url: string): Promise<Spooled> {
  if (!ctx.outbound) throw new ApiError(503, 'This process does not call other servers.')
  // A query may contain a secret.
  const host = URL.parse(url)?.host ?? 'The server'
  try {
    const opened = await ctx.outbound.open(url, {}, { timeoutMs: TIMEOUT_MS, idleMs: IDLE_MS, mostBytes: MAX_BYTES })
    try {
      if (opened.status !== 200) throw new ApiError(502, `${host} responded with ${opened.status}.`)
      return await blobsOf(ctx).spool(opened.body, MAX_BYTES)
    } finally {
      opened.close()
    }
  } catch (error) {
    if (error instanceof TooLarge) throw tooLarge(error.mostBytes)
    if (error instanceof OutboundError && error.kind === 'too-large') throw tooLarge(MAX_BYTES)
    if (error instanceof OutboundError) throw new ApiError(502, `${host} could not be read: ${error.message}.`)
    throw error
  }
}

const tooLarge = (mostBytes: number): ApiError => new ApiError(413, `file: must be at most ${mostBytes} bytes.`)

/** Works on the JSON document that was received: as it is, compressed, or the only one of an archive. */
export async function withDocument<T>(
  ctx: Context,
  content: Spooled,
  work: (document: Document) => Promise<T>,
): Promise<T> {
  const received = { name: '', size: content.size, open: () => content.open(), read: content.read.bind(content) }
  try {
    const kind = binaryKind(await headOf(received), '')
    if (kind === undefined) return await work(received)
    if (!isArchive(kind)) throw new DocumentError('The document is no JSON.')
    await using inner = await onlyDocument(ctx, received, kind)
    return await work({ name: '', size: inner.size, open: () => inner.open() })
  } catch (error) {
    throw error instanceof DocumentError ? badRequest(`file: ${error.message}`) : error
  }
}

async function onlyDocument(
  ctx: Context,
  archive: Parameters<typeof unpack>[0],
  kind: Parameters<typeof unpack>[1],
): Promise<Spooled> {
  const spool = (packed: AsyncIterable<Uint8Array>) => blobsOf(ctx).spool(packed)
  let found: Spooled | undefined
  try {
    for await (const entry of unpack(archive, kind, {
      spool,
      limits: { entryBytes: MAX_BYTES, totalBytes: 2 * MAX_BYTES },
    })) {
      if (kind !== 'gzip' && !/\.json$/i.test(entry.name)) continue
      if (found) throw new DocumentError('The archive has several JSON documents.')
      found = await blobsOf(ctx).spool(Readable.from(entry.open()), MAX_BYTES)
    }
  } catch (error) {
    await found?.[Symbol.asyncDispose]()
    throw error
  }
  if (!found) throw new DocumentError('The archive has no JSON document.')
  return found
}
