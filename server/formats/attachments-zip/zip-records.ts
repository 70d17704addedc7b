/** A file in an archive and its position. */
export interface ZipFileRecord {
  readonly path: Buffer
  readonly isDeflated: boolean
  /** Whether size and checksum follow the content instead of preceding it. */
  readonly isStreamed: boolean
  readonly checksum: number
  readonly packedSize: number
  readonly size: number
  readonly offset: number
}

const LARGEST_32 = 0xffff_ffff
const LARGEST_16 = 0xffff

/** Names are in UTF-8, and a descriptor may follow the content. */
const flagsOf = ({ isStreamed }: ZipFileRecord): number => 0x0800 | (isStreamed ? 0x0008 : 0)

/** Builds a record of numbers with 2, 4 or 8 bytes, followed by texts. */
function record(numbers: readonly (readonly [value: number, bytes: 2 | 4 | 8])[], ...texts: readonly Buffer[]): Buffer {
  const length = numbers.reduce((sum, [, bytes]) => sum + bytes, 0)
  const written = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + text.length, length))
  let at = 0
  for (const [value, bytes] of numbers) {
    if (bytes === 8) written.writeBigUInt64LE(BigInt(value), at)
    else written.writeUIntLE(value, at, bytes)
    at += bytes
  }
  for (const text of texts) at += text.copy(written, at)
  return written
}

/** Converts a time to MS-DOS format, which has a resolution of two seconds and starts in 1980. */
export function dosTime(moment: Date): { readonly time: number; readonly date: number } {
  const year = Math.min(Math.max(moment.getUTCFullYear(), 1980), 2107)
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  }
}

type Moment = ReturnType<typeof dosTime>

/** The record before the content of a file. */
export const localHeader = (file: ZipFileRecord, { time, date }: Moment): Buffer =>
  record(
    [
      [0x04034b50, 4],
      [20, 2],
      [flagsOf(file), 2],
      [file.isDeflated ? 8 : 0, 2],
      [time, 2],
      [date, 2],
      [file.isStreamed ? 0 : file.checksum, 4],
      [file.isStreamed ? 0 : file.packedSize, 4],
      [file.isStreamed ? 0 : file.size, 4],
      [file.path.length, 2],
      [0, 2],
    ],
    file.path,
  )

/** The record after the content of a streamed file. */
export const dataDescriptor = (file: ZipFileRecord): Buffer =>
  record([
    [0x08074b50, 4],
    [file.checksum, 4],
    [file.packedSize, 4],
    [file.size, 4],
  ])

/** The entry of a file in the central directory. Large offsets go to an extra field. */
export function centralHeader(file: ZipFileRecord, { time, date }: Moment): Buffer {
  const isFar = file.offset >= LARGEST_32
  const far = isFar
    ? record([
        [1, 2],
        [8, 2],
        [file.offset, 8],
      ])
    : Buffer.alloc(0)
  return record(
    [
      [0x02014b50, 4],
      [45, 2],
      [isFar ? 45 : 20, 2],
      [flagsOf(file), 2],
      [file.isDeflated ? 8 : 0, 2],
      [time, 2],
      [date, 2],
      [file.checksum, 4],
      [file.packedSize, 4],
      [file.size, 4],
      [file.path.length, 2],
      [far.length, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [isFar ? LARGEST_32 : file.offset, 4],
    ],
    file.path,
    far,
  )
}

/** The end of the archive: the number of files and the position of the central directory. Large values need the newer record. */
export function endOfArchive(count: number, offset: number, size: number): Buffer {
  const isLarge = count >= LARGEST_16 || offset >= LARGEST_32 || size >= LARGEST_32
  const old = record([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [Math.min(count, LARGEST_16), 2],
    [Math.min(count, LARGEST_16), 2],
    [Math.min(size, LARGEST_32), 4],
    [Math.min(offset, LARGEST_32), 4],
    [0, 2],
  ])
  if (!isLarge) return old
  const newer = record([
    [0x06064b50, 4],
    [44, 8],
    [45, 2],
    [45, 2],
    [0, 4],
    [0, 4],
    [count, 8],
    [count, 8],
    [size, 8],
    [offset, 8],
  ])
  const locator = record([
    [0x07064b50, 4],
    [0, 4],
    [offset + size, 8],
    [1, 4],
  ])
  return Buffer.concat([newer, locator, old])
}
