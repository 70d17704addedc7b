import { Readable } from 'node:stream'
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { notFound } from '../../engine/errors.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { documentOf, partAnswer } from '../../exchange/block-content.ts'
import { misp } from '../../formats/misp/format.ts'
import type { Content } from '../../http/content-answer.ts'
import { findLatest } from './latest.ts'

const [, MISP_FOLDER] = misp.contentTypes

interface FileRequest {
  readonly feed: string
  readonly file: string
  readonly headers: Incoming['headers']
}

/**
 * The endpoint for the folder of a MISP feed, as MISP fetches it: `manifest.json`, `hashes.csv`, and a file for each event. The newest
 * block of the feed is an archive of this folder, from which one file is read.
 */
export const mispFolderRoute: Route<FileRequest, Answer> = {
  method: 'GET',
  path: '/outgoing-feeds/:id/latest/misp/:file',
  permission: 'read content-blocks',
  doc: {
    operationId: 'misp_file_outgoing_feed',
    summary: 'Read a file of an outgoing MISP feed: manifest.json, hashes.csv, or an event by its UUID',
    tag: 'outgoing_feeds',
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 410, 416],
  },
  parse: ({ params, headers }) => ({ feed: params.id ?? '', file: params.file ?? '', headers }),
  run: async (ctx, { feed, file, headers }) => {
    const block = await findLatest(ctx, feed)
    const found = block.content_type === MISP_FOLDER.urn ? await readFile(documentOf(ctx, block), file) : undefined
    if (!found) throw notFound(file)
    const served = file.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/json'
    return partAnswer(headers, { ...found, modifiedAt: block.created_at, served })
  },
  answer: (answer) => answer,
}

/** One file of an archive; undefined if it has no file of this name. */
async function readFile(archive: Content, name: string): Promise<Content | undefined> {
  const zip = await fromRandomAccessReaderPromise(new ContentReader(archive), archive.size, { autoClose: false })
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== name) continue
    const bytes = await bytesOf(zip, entry)
    const type = 'application/octet-stream'
    const tag = `${archive.tag}-${entry.crc32.toString(16)}`
    return {
      name,
      tag,
      size: bytes.length,
      type,
      read: async function* ({ start, end }) {
        yield bytes.subarray(start, end)
      },
    }
  }
  return undefined
}

async function bytesOf(zip: ZipFile, entry: Parameters<ZipFile['openReadStream']>[0]): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry)
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))
}

/** Reads an archive from any storage; yauzl reads from other things than files by overriding this method. */
class ContentReader extends RandomAccessReader {
  readonly #archive: Content

  constructor(archive: Content) {
    super()
    this.#archive = archive
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#archive.read({ start, end }))
  }
}
