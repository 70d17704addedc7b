import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const SIZE = 16
const pool = new Uint8Array(256 * SIZE)
const portions = Array.from({ length: pool.length / SIZE }, (_, i) => pool.subarray(i * SIZE, (i + 1) * SIZE))
let next = portions.length

/** A new id, later than those of earlier milliseconds. Chance is drawn for many at a time: asking for it costs more than all the rest. */
export function makeId(): string {
  if (next === portions.length) {
    randomFillSync(pool)
    next = 0
  }
  return v7({ random: portions[next++] as Uint8Array })
}
