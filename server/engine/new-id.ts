import { randomFillSync } from 'node:crypto'

// Random bytes cost a call each time; a pool of them serves many ids.
const pool = Buffer.allocUnsafeSlow(16 * 512)
let used = pool.length

let lastMillisecond = 0
let counter = 0

/**
 * A new UUID (version 7): ids made later sort later, so that new rows go to the end of every index. Those of one
 * millisecond are counted; when the count is full, the clock is set ahead.
 */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const now = Date.now()
  if (now > lastMillisecond) {
    lastMillisecond = now
    counter = pool.readUInt16BE(used) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMillisecond++
    counter = 0
  }
  const time = lastMillisecond.toString(16).padStart(12, '0')
  const variant = (pool.readUInt16BE(used + 2) & 0x3fff) | 0x8000
  const random = pool.toString('hex', used + 4, used + 10)
  used += 16
  return `${time.slice(0, 8)}-${time.slice(8)}-${(0x7000 | counter).toString(16)}-${variant.toString(16)}-${random}`
}
