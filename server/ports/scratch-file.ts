import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Scratch } from './blobs.ts'

/**
 * A file without a name: it is gone with the process, however that ends. It is written and read without giving way to others, since what
 * was written a moment ago is still in the memory of the operating system, and a turn for each of a million reads takes longer than they do.
 */
export function scratchFile(folder: string): Scratch {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path)
  let size = 0
  return {
    append(bytes) {
      // A disk that is nearly full takes a part and says so only in the count.
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done)
      size += bytes.length
    },
    read(start, length) {
      const room = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - start)))
      for (let done = 0; done < room.length; ) {
        const count = readSync(file, room, done, room.length - done, start + done)
        if (count === 0) throw new Error('A scratch file is shorter than it was.')
        done += count
      }
      return room
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}
