import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3mini } from 's3mini'
import { BlobMissing, type Blobs, requireKey } from './blobs.ts'
import { draftOf } from './blobs-folder.ts'
import { removeAbandoned, spool, writeDraft } from './drafts.ts'
import { scratchFile } from './scratch-file.ts'

/** The bucket of an S3-compatible server. */
export interface S3Place {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The prefix of all object names; empty, or ending with a slash. */
  readonly prefix: string
}

const TYPE = 'application/octet-stream'
const PIECE = 256 * 1024
const PAUSES_MS = [0, 500, 2000]

/**
 * Stores blobs in a bucket. Content is written to the local disk first, because its key is the hash of all its bytes.
 * A single request of known length then stores it atomically, so a crash leaves no parts behind.
 */
export function openS3(place: S3Place, folder: string): Blobs {
  const incoming = join(folder, 'incoming')
  const nameOf = (key: string) => `${place.prefix}${requireKey(key)}`
  // The client is loaded on first use, because most installations use a folder.
  let loading: Promise<S3mini> | undefined
  const client = () => {
    loading ??= connect(place)
    return loading
  }
  const exists = async (key: string) => (await (await client()).objectExists(nameOf(key))) === true
  return {
    place: `the bucket ${place.bucket} of ${place.endpoint}`,
    receive: async (content, mostBytes) => {
      const file = await writeDraft(incoming, content, mostBytes)
      return draftOf(file, async () => {
        const s3 = await client()
        if (await exists(file.sha256)) return
        await withRetries(() => putFile(s3, nameOf(file.sha256), file.path, file.size))
      })
    },
    spool: (content, mostBytes) => spool(incoming, content, mostBytes),
    scratch: () => scratchFile(incoming),
    open: (key, span) => read(client, nameOf(key), key, span),
    exists,
    remove: async (key) => {
      await (await client()).deleteObject(nameOf(key)).catch(unlessAbsent)
    },
    check: async () => {
      if (!(await (await client()).bucketExists())) throw new Error(`The bucket ${place.bucket} does not exist.`)
    },
    tidy: () => removeAbandoned(incoming),
  }
}

async function connect({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Place): Promise<S3mini> {
  const { S3mini } = await import('s3mini')
  const address = `${endpoint.replace(/(?<!\/)\/+$/, '')}/${bucket}`
  // Without these options, fetch would buffer the whole body in case it had to repeat the request.
  const once = { duplex: 'half', redirect: 'error', window: null }
  const streaming: typeof fetch = (url, init) => fetch(url, { ...init, ...once } as RequestInit)
  return new S3mini({ endpoint: address, region, accessKeyId, secretAccessKey, fetch: streaming })
}

/** Uploads a file as one object of known length, reading it from disk at the server's pace. */
function putFile(s3: S3mini, name: string, path: string, size: number): Promise<unknown> {
  if (size === 0) return s3.putObject(name, Buffer.alloc(0), TYPE)
  const content = Readable.toWeb(createReadStream(path, { highWaterMark: PIECE })) as ReadableStream
  return s3.putObject(name, content, TYPE, undefined, undefined, size)
}

async function* read(
  client: () => Promise<S3mini>,
  name: string,
  key: string,
  span?: { start: number; end: number },
): AsyncGenerator<Buffer> {
  if (span && span.end <= span.start) return
  const s3 = await client()
  const answer = await (span ? s3.getObjectRaw(name, false, span.start, span.end) : s3.getObjectRaw(name)).catch(
    (error) => {
      if (error?.status === 404) throw new BlobMissing(`The blob ${key} is missing.`)
      throw error
    },
  )
  for await (const bytes of answer.body ?? []) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Retries after network errors, so that a brief outage does not undo an upload. Refusals are final. */
async function withRetries(attempt: () => Promise<unknown>): Promise<void> {
  for (const [index, pause] of PAUSES_MS.entries()) {
    await sleep(pause)
    try {
      await attempt()
      return
    } catch (error) {
      const { status = 0 } = error as { status?: number }
      if ((status >= 400 && status < 500) || index === PAUSES_MS.length - 1) throw error
    }
  }
}

const unlessAbsent = (error: { status?: number }): void => {
  if (error.status !== 404) throw error
}
