const SIZE = 1 << 18
const NOTHING = Buffer.alloc(0)

/**
 * Memory for many small pieces of bytes, cut from large ones: memory of its own for each of them would keep the garbage collector
 * busier than all that they are made from.
 */
export class Slab {
  #bytes: Buffer = NOTHING
  #at = 0

  /** So many bytes, to be filled. */
  take(size: number): Buffer {
    if (size > SIZE / 4) return Buffer.allocUnsafeSlow(size)
    this.#reserve(size)
    this.#at += size
    return this.#bytes.subarray(this.#at - size, this.#at)
  }

  /** A text in UTF-8. */
  text(text: string): Buffer {
    // No character has more than three bytes for each of its units.
    if (text.length * 3 > SIZE / 4) return Buffer.from(text)
    this.#reserve(text.length * 3)
    const start = this.#at
    this.#at += this.#bytes.write(text, start, 'utf8')
    return this.#bytes.subarray(start, this.#at)
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return
    this.#bytes = this.more()
    this.#at = 0
  }

  protected more(): Buffer {
    return Buffer.allocUnsafeSlow(SIZE)
  }

  protected clear(): void {
    this.#bytes = NOTHING
  }
}

const free: Buffer[] = []
const MOST_FREE = 64

/** The same, given back when nobody looks at its pieces any more: else it stays until the old heap is cleared up. */
export class LentSlab extends Slab {
  #lent: Buffer[] = []

  giveBack(): void {
    free.push(...this.#lent.slice(0, MOST_FREE - free.length))
    this.#lent = []
    // Who takes more of it after all gets other memory.
    this.clear()
  }

  protected override more(): Buffer {
    const bytes = free.pop() ?? super.more()
    this.#lent.push(bytes)
    return bytes
  }
}
