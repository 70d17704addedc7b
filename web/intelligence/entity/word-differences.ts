/** A piece of text, and whether it is in both versions or only in one. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Above this number of word comparisons, the whole text counts as replaced. */
const MAX_COMPARISONS = 4_000_000

/** The differences between two texts, word by word. */
export function wordDifferences(before: string, after: string): readonly Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  const head = commonLength(old, now)
  const tail = commonLength(old.slice(head).reverse(), now.slice(head).reverse())
  const pieces: Piece[] = [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ]
  return joined(pieces)
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

const same = (text: string): Piece => ({ kind: 'same', text })
const removed = (text: string): Piece => ({ kind: 'removed', text })
const added = (text: string): Piece => ({ kind: 'added', text })

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** Marks the longest common subsequence as unchanged, everything else as added or removed. */
function middle(old: readonly string[], now: readonly string[]): Piece[] {
  if (old.length * now.length > MAX_COMPARISONS) return [...old.map(removed), ...now.map(added)]
  const lengths = commonLengths(old, now)
  const width = now.length + 1
  const pieces: Piece[] = []
  let [i, k] = [0, 0]
  while (i < old.length || k < now.length) {
    const [word, other] = [old[i], now[k]]
    if (word !== undefined && word === other) {
      pieces.push(same(word))
      i++
      k++
    } else if (word !== undefined && (lengths[(i + 1) * width + k] ?? 0) >= (lengths[i * width + k + 1] ?? 0)) {
      pieces.push(removed(word))
      i++
    } else if (other !== undefined) {
      pieces.push(added(other))
      k++
    } else {
      pieces.push(removed(word ?? ''))
      i++
    }
  }
  return pieces
}

/** The length of the longest common subsequence of the remainders, for each pair of positions. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let k = now.length - 1; k >= 0; k--) {
      const at = i * width + k
      const longer = Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0)
      lengths[at] = old[i] === now[k] ? (lengths[at + width + 1] ?? 0) + 1 : longer
    }
  }
  return lengths
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = []
  for (const piece of pieces) {
    const last = out.at(-1)
    if (last?.kind === piece.kind) out[out.length - 1] = { kind: last.kind, text: last.text + piece.text }
    else out.push(piece)
  }
  return out
}
