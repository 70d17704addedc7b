// Words that are in the dictionary, each known by two hashes: together they tell apart more words than there are.
// Two generations bound the memory; whatever is asked for in the younger one's time stays.
const SLOTS = 1 << 19
const GENERATION = 200_000

interface Generation {
  /** Two hashes in each slot, side by side: looking them up is waiting for memory. */
  readonly hashes: Int32Array
  count: number
}

const empty = (): Generation => ({ hashes: new Int32Array(2 * SLOTS), count: 0 })

let recent = empty()
let older = empty()

/** Forgets all words, because another dictionary is being written. */
export function forgetLearned(): void {
  recent = empty()
  older = empty()
}

/** Whether a word with these hashes was learned. */
export const isLearned = (first: number, second: number): boolean =>
  holds(recent, first, second) || holds(older, first, second)

/** Notes a word by its hashes. */
export function learn(first: number, second: number): void {
  if (holds(recent, first, second)) return
  if (recent.count === GENERATION) {
    older = recent
    recent = empty()
  }
  const slot = slotOf(recent, first, second)
  recent.hashes[slot] = first
  recent.hashes[slot + 1] = second
  recent.count++
}

function holds(generation: Generation, first: number, second: number): boolean {
  const slot = slotOf(generation, first, second)
  return generation.hashes[slot] === first && generation.hashes[slot + 1] === second
}

/** The slot of a word, or the free one where it would go; no word has two zeros. */
function slotOf({ hashes }: Generation, first: number, second: number): number {
  let slot = 2 * ((first ^ (second >>> 3)) & (SLOTS - 1))
  while ((hashes[slot] !== 0 || hashes[slot + 1] !== 0) && (hashes[slot] !== first || hashes[slot + 1] !== second)) {
    slot = (slot + 2) & (2 * SLOTS - 1)
  }
  return slot
}
