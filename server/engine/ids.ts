import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const SIZE = 16
const pool = new Uint8Array(256 * SIZE)
const portions = Array.from({ length: pool.length / SIZE }, (_, i) => pool.subarray(i * SIZE, (i + 1) * SIZE))
let next = portions.length

let moment = 0
let sequence = 0

/**
 * A new id, later than all that this process made before: what is made together stays in its order. Chance is drawn for many
 * at a time, because asking for it costs more than all the rest.
 */
export function makeId(): string {
  if (next === portions.length) {
    randomFillSync(pool)
    next = 0
  }
  const random = portions[next++] as Uint8Array
  const now = Date.now()
  if (now > moment) {
    moment = now
    // Room to count on from, before the moment itself has to be counted on.
    sequence = ((random[6] as number) << 16) | ((random[7] as number) << 8) | (random[8] as number)
  } else if (++sequence > 0x7fffffff) {
    moment++
    sequence = 0
  }
  return v7({ random, msecs: moment, seq: sequence })
}
