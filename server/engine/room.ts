const USUAL = 1 << 20
const LARGEST_KEPT = 1 << 24

/** Room to write bytes into, one thing at a time; what is done is copied out, and the room serves again. */
export class Room {
  bytes = Buffer.allocUnsafeSlow(USUAL)
  at = 0

  /** Makes sure that so many more bytes fit. */
  reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + more))
    this.bytes.copy(larger, 0, 0, this.at)
    this.bytes = larger
  }

  /** Writes a text, and says how many bytes it has. */
  text(value: string): number {
    this.reserve(value.length * 3)
    const written = this.bytes.write(value, this.at, 'utf8')
    this.at += written
    return written
  }

  /** Writes a text, or what is one in UTF-8 already, and says how many bytes it has. */
  add(value: string | Buffer): number {
    if (typeof value === 'string') return this.text(value)
    this.reserve(value.length)
    value.copy(this.bytes, this.at)
    this.at += value.length
    return value.length
  }

  /** What was written, as bytes of their own. */
  take(): Buffer {
    const made = Buffer.from(this.bytes.subarray(0, this.at))
    this.empty()
    return made
  }

  /** Forgets what was written. */
  empty(): void {
    this.at = 0
    if (this.bytes.length > LARGEST_KEPT) this.bytes = Buffer.allocUnsafeSlow(USUAL)
  }
}

const free: Room[] = []
const MOST_FREE = 4

/**
 * Room for a while. Memory that is asked for anew each time stays until the old heap is cleared up, and has it cleared up more
 * often.
 */
export const lendRoom = (): Room => free.pop() ?? new Room()

/** Takes back room that was lent, when nobody looks at what is in it any more. */
export function takeBack(room: Room): void {
  room.empty()
  if (free.length < MOST_FREE) free.push(room)
}
