import { memoryScratch, type ScratchFile } from '../scratch.ts'
import { byteSpool } from './byte-spool.ts'

/** Size of the write buffer. Smaller amounts never reach the disk. */
const BUFFER_SIZE = 1 << 20
/** Texts are aligned to this many bytes, so that positions fit into 32 bits. */
const ALIGNMENT = 4
const LENGTH_BYTES = 4
/** Number of bytes read at first; most texts are shorter. */
const FIRST_READ_BYTES = 1024

/** A store for texts on disk. Texts can be read back by position while more are added. */
export interface TextSpool extends Disposable {
  /** Opens another file that is closed together with the spool. */
  readonly openFile: () => ScratchFile
  /** Stores a text and returns its position, which is never 0. */
  write(text: string): number
  read(place: number): string
}

/** Creates an empty spool. Its files are opened on first use. */
export function textSpool(open: () => ScratchFile = memoryScratch): TextSpool {
  const files: ScratchFile[] = []
  const openFile = (): ScratchFile => {
    const file = open()
    files.push(file)
    return file
  }
  const bytes = byteSpool(openFile, BUFFER_SIZE)
  bytes.append(Buffer.alloc(ALIGNMENT))
  return {
    openFile,
    write(text) {
      const length = Buffer.byteLength(text)
      const record = Buffer.alloc(Math.ceil((LENGTH_BYTES + length) / ALIGNMENT) * ALIGNMENT)
      record.writeUInt32LE(length)
      record.write(text, LENGTH_BYTES)
      const place = bytes.size / ALIGNMENT
      bytes.append(record)
      return place
    },
    read(place) {
      const start = place * ALIGNMENT
      const head = bytes.read(start, FIRST_READ_BYTES)
      const end = LENGTH_BYTES + head.readUInt32LE()
      return (end <= head.length ? head : bytes.read(start, end)).toString('utf8', LENGTH_BYTES, end)
    },
    [Symbol.dispose]() {
      for (const file of files) file[Symbol.dispose]()
    },
  }
}
