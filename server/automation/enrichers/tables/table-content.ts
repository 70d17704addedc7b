import { ApiError, badRequest } from '../../../engine/errors.ts'
import { isArchive, unpack } from '../../../formats/archive/unpack.ts'
import { type Document, DocumentError } from '../../../formats/document.ts'
import { binaryKind } from '../../../formats/recognising/binary-kind.ts'
import { headOf } from '../../../formats/recognising/head.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import type { Spooled } from '../../../ports/blobs.ts'
import type { Server } from '../../../server.ts'
import type { TableFormat } from './read-table.ts'

const MIB = 2 ** 20
/** Tables are read in memory. Databases stay there while they are in use. */
const MAX_BYTES = { rows: 100 * MIB, mmdb: 256 * MIB }

/** The files of archives that are tables; others describe them, such as licences. */
const TABLE_NAMES = { rows: /\.(csv|tsv|json|txt|list|dat|(net|ip)set)$/i, mmdb: /\.mmdb$/i }

/** The bytes of a table, which may be compressed or the only table of an archive. */
export async function tableBytes(server: Server, content: Spooled, format: TableFormat): Promise<Buffer> {
  const kind = format === 'mmdb' ? 'mmdb' : 'rows'
  const most = Math.min(server.largestFile ?? Number.POSITIVE_INFINITY, MAX_BYTES[kind])
  const document = { name: '', size: content.size, open: () => content.open(), read: content.read.bind(content) }
  const archive = binaryKind(await headOf(document), '')
  if (archive === undefined || !isArchive(archive)) return bytesOf(document, most)
  const found: { name: string; bytes: Buffer }[] = []
  const spool = (packed: AsyncIterable<Uint8Array>) => blobsOf(server).spool(packed)
  try {
    for await (const entry of unpack(document, archive, {
      spool,
      limits: { entryBytes: most, totalBytes: 2 * most },
    })) {
      // What is only compressed has no name of its own.
      if (archive === 'gzip' ? isOther(entry.name, kind) : !TABLE_NAMES[kind].test(entry.name)) continue
      if (found[0]) throw badRequest(`data: the archive has several tables: ${found[0].name}, ${entry.name}`)
      found.push({ name: entry.name, bytes: await bytesOf(entry, most) })
    }
  } catch (error) {
    throw error instanceof DocumentError ? badRequest(`data: ${error.message}`) : error
  }
  if (!found[0]) throw badRequest('data: the archive has no table')
  return found[0].bytes
}

const isOther = (name: string, kind: keyof typeof TABLE_NAMES): boolean =>
  name.includes('/') && !TABLE_NAMES[kind].test(name)

async function bytesOf(document: Document, most: number): Promise<Buffer> {
  if (document.size > most) throw new ApiError(413, `data: must be at most ${most} bytes.`)
  if (document.size === 0) throw badRequest('data: must not be empty')
  return Buffer.concat(await Array.fromAsync(document.open()))
}
