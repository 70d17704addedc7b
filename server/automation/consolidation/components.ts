import { isStrong } from './matching/keys.ts'

interface Connected {
  readonly entity: string
  readonly keys: readonly string[]
  /** The keys that are switched off. */
  readonly off: readonly string[]
}

/** Which entities are connected with each other through keys that join them, over any number of steps. */
export class Components {
  readonly #parents = new Map<string, string>()
  readonly #sizes = new Map<string, number>()

  constructor(subjects: readonly Connected[]) {
    const holders = new Map<string, string>()
    for (const { entity, keys, off } of subjects) {
      for (const key of keys) {
        if (!isStrong(key) || off.includes(key)) continue
        const other = holders.get(key)
        if (other === undefined) holders.set(key, entity)
        else this.#join(entity, other)
      }
    }
  }

  /** How many entities are connected with this one, itself included. */
  sizeOf(entity: string): number {
    return this.#sizes.get(this.#rootOf(entity)) ?? 1
  }

  #rootOf(entity: string): string {
    let root = entity
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next
    for (let at = entity; at !== root; ) {
      const next = this.#parents.get(at) as string
      this.#parents.set(at, root)
      at = next
    }
    return root
  }

  #join(a: string, b: string): void {
    const [one, other] = [this.#rootOf(a), this.#rootOf(b)]
    if (one === other) return
    this.#sizes.set(other, (this.#sizes.get(one) ?? 1) + (this.#sizes.get(other) ?? 1))
    this.#parents.set(one, other)
  }
}
