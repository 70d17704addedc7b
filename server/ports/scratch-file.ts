import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Scratch } from './blobs.ts'

/**
 * A file without a name, which disappears with the process, even after a crash. It is read and written synchronously:
 * recently written data is still in the page cache, and a million asynchronous reads would take longer.
 */
export function scratchFile(folder: string): Scratch {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path)
  let size = 0
  return {
    append(bytes) {
      // On a nearly full disk, a write may succeed only in part, which shows only in the returned count.
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done)
      size += bytes.length
    },
    read(start, length) {
      const room = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - start)))
      for (let done = 0; done < room.length; ) {
        const count = readSync(file, room, done, room.length - done, start + done)
        if (count === 0) throw new Error('A scratch file has been truncated.')
        done += count
      }
      return room
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}
