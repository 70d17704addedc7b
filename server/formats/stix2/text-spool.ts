import { memoryScratch, type ScratchFile } from '../scratch.ts'
import { byteSpool } from './byte-spool.ts'

/** So many bytes are written at once. What does not fill it never reaches the disk. */
const ROOM = 1 << 20
/** Texts begin at multiples of this, so that their places are numbers of 32 bits. */
const UNIT = 4
const LENGTH_BYTES = 4
/** Most texts are not longer than this, and read at once. */
const USUAL = 1024

/** Texts that are put aside on disk, and read back by their places while more are added. */
export interface TextSpool extends Disposable {
  /** Opens another file for as long as the spool lives. */
  readonly openFile: () => ScratchFile
  /** Puts a text aside; gives its place, which is never 0. */
  write(text: string): number
  read(place: number): string
}

/** An empty spool; its files are opened once they are needed. */
export function textSpool(open: () => ScratchFile = memoryScratch): TextSpool {
  const files: ScratchFile[] = []
  const openFile = (): ScratchFile => {
    const file = open()
    files.push(file)
    return file
  }
  const bytes = byteSpool(openFile, ROOM)
  bytes.append(Buffer.alloc(UNIT))
  return {
    openFile,
    write(text) {
      const length = Buffer.byteLength(text)
      const record = Buffer.alloc(Math.ceil((LENGTH_BYTES + length) / UNIT) * UNIT)
      record.writeUInt32LE(length)
      record.write(text, LENGTH_BYTES)
      const place = bytes.size / UNIT
      bytes.append(record)
      return place
    },
    read(place) {
      const start = place * UNIT
      const head = bytes.read(start, USUAL)
      const end = LENGTH_BYTES + head.readUInt32LE()
      return (end <= head.length ? head : bytes.read(start, end)).toString('utf8', LENGTH_BYTES, end)
    },
    [Symbol.dispose]() {
      for (const file of files) file[Symbol.dispose]()
    },
  }
}
