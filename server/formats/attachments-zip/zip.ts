import { Readable } from 'node:stream'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { packedBytes } from './packed-bytes.ts'
import { centralHeader, dataDescriptor, dosTime, endOfArchive, localHeader, type ZipFileRecord } from './zip-records.ts'

/** A file to be added to an archive. */
export interface ZipInput {
  readonly path: string
  readonly size: number
  /** Whether compression may reduce its size. */
  readonly isCompressible: boolean
  open(): AsyncIterable<Buffer>
}

/** Files up to this size are held in memory, so that their sizes can precede the content. */
const IN_MEMORY_BYTES = 1024 * 1024

/** Files up to this size are not compressed, because that would cost more than it saves. */
const UNCOMPRESSED_BYTES = 512

/** The largest file size that the records can hold. */
export const MAX_FILE_BYTES = 0xffff_fffe

/** Writes an archive in chunks. Memory holds one small file and a compressed list of all names. */
export async function* zipOf(files: AsyncIterable<ZipInput>, at: Date): AsyncGenerator<Buffer> {
  const moment = dosTime(at)
  const list = packedBytes()
  let offset = 0
  let count = 0
  let listSize = 0
  for await (const file of files) {
    const start = offset
    let written: ZipFileRecord | undefined
    for await (const piece of file.size <= IN_MEMORY_BYTES ? smallFile(file, start, at) : largeFile(file, start, at)) {
      if (Buffer.isBuffer(piece)) {
        offset += piece.length
        yield piece
      } else written = piece
    }
    if (!written) continue
    const header = centralHeader(written, moment)
    list.add(header)
    listSize += header.length
    count++
  }
  yield* list.read()
  yield endOfArchive(count, offset, listSize)
}

/** The chunks of a file, followed by its record for the central directory. */
type Pieces = AsyncGenerator<Buffer | ZipFileRecord>

async function* smallFile(file: ZipInput, offset: number, at: Date): Pieces {
  const content = Buffer.concat(await Array.fromAsync(file.open()))
  const packed = file.isCompressible && content.length > UNCOMPRESSED_BYTES ? deflateRawSync(content) : content
  const isDeflated = packed.length < content.length
  const data = isDeflated ? packed : content
  const record = {
    path: Buffer.from(file.path),
    isDeflated,
    isStreamed: false,
    checksum: crc32(content),
    packedSize: data.length,
    size: content.length,
    offset,
  }
  yield localHeader(record, dosTime(at))
  yield data
  yield record
}

async function* largeFile(file: ZipInput, offset: number, at: Date): Pieces {
  const seen = { checksum: 0, size: 0, packedSize: 0 }
  const record = { path: Buffer.from(file.path), isDeflated: true, isStreamed: true, offset }
  yield localHeader({ ...record, ...seen }, dosTime(at))
  const counted = async function* () {
    for await (const piece of file.open()) {
      seen.checksum = crc32(piece, seen.checksum)
      seen.size += piece.length
      yield piece
    }
  }
  const source = Readable.from(counted())
  const packing = createDeflateRaw({ level: file.isCompressible ? 6 : 1 })
  source.on('error', (error) => packing.destroy(error))
  source.pipe(packing)
  try {
    for await (const piece of packing as AsyncIterable<Buffer>) {
      seen.packedSize += piece.length
      yield piece
    }
  } finally {
    source.destroy()
  }
  yield dataDescriptor({ ...record, ...seen })
  yield { ...record, ...seen }
}
