import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const SIZE = 16
const pool = new Uint8Array(256 * SIZE)
const portions = Array.from({ length: pool.length / SIZE }, (_, i) => pool.subarray(i * SIZE, (i + 1) * SIZE))
let next = portions.length

let moment = 0
let sequence = 0

/** Where the pairs of digits stand in the text of a UUID. */
export const PAIRS: readonly number[] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const DIGITS = Buffer.from('0123456789abcdef')
const made = new Uint8Array(SIZE)
const text = Buffer.from('00000000-0000-0000-0000-000000000000')

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
  v7({ random, msecs: moment, seq: sequence }, made)
  return textOf(made)
}

/** The text of an id, made in one piece: put together from pairs of digits it would take ten times the memory. */
function textOf(id: Uint8Array): string {
  for (let i = 0; i < SIZE; i++) {
    const byte = id[i] as number
    const place = PAIRS[i] as number
    text[place] = DIGITS[byte >> 4] as number
    text[place + 1] = DIGITS[byte & 15] as number
  }
  return text.toString('latin1')
}
