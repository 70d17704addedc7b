const GENERATION = 100_000

/**
 * Words that the dictionary is known to have, so that they need not be sent to it again. Two generations bound the memory:
 * when one is full, the words of the one before are forgotten.
 */
export class KnownWords {
  #recent = new Set<string>()
  #older = new Set<string>()

  has(word: string): boolean {
    return this.#recent.has(word) || this.#older.has(word)
  }

  add(word: string): void {
    if (this.has(word)) return
    if (this.#recent.size === GENERATION) {
      this.#older = this.#recent
      this.#recent = new Set()
    }
    // A copy: V8 may keep the whole text in memory that a word was cut from.
    this.#recent.add(Buffer.from(word).toString())
  }
}
