/** A change of a text: what stands at a place, and what is to replace it. */
export interface TextChange {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

/** Above this number of comparisons, coarser parts are compared, and at last the whole text is one change. */
const MAX_COMPARISONS = 4_000_000
/** A value such as an address is one word: accepting half of a change must not make another value of it. */
const WORDS = /[\p{L}\p{N}_](?:\S*[\p{L}\p{N}_])?|\s+|\S/gu
const LINES = /[^\n]*\n|[^\n]+$/g

/** The changes that make one text of another, in order. Made one by one from the last to the first, they result in the other text. */
export function changesBetween(before: string, after: string): TextChange[] {
  if (before === after) return []
  for (const pattern of [WORDS, LINES]) {
    const [old, now] = [before.match(pattern) ?? [], after.match(pattern) ?? []]
    const head = commonLength(old, now)
    const tail = commonLength(old.slice(head).reverse(), now.slice(head).reverse())
    const [from, to] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
    if (from.length * to.length > MAX_COMPARISONS) continue
    const start = old.slice(0, head).join('').length
    return joined(changesIn(from, to, start))
  }
  return [{ start: 0, end: before.length, before, after }]
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** What differs word by word, with the words of the longest common subsequence between. */
function changesIn(old: readonly string[], now: readonly string[], start: number): (TextChange | string)[] {
  const lengths = commonLengths(old, now)
  const width = now.length + 1
  const found: (TextChange | string)[] = []
  let [i, k, at] = [0, 0, start]
  while (i < old.length || k < now.length) {
    const [word, other] = [old[i], now[k]]
    if (word !== undefined && word === other) {
      found.push(word)
      at += word.length
      i++
      k++
      continue
    }
    const isRemoved =
      word !== undefined &&
      (other === undefined || (lengths[(i + 1) * width + k] ?? 0) >= (lengths[i * width + k + 1] ?? 0))
    if (isRemoved) {
      found.push({ start: at, end: at + word.length, before: word, after: '' })
      at += word.length
      i++
    } else {
      found.push({ start: at, end: at, before: '', after: other ?? '' })
      k++
    }
  }
  return found
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

/** Joins changes that follow each other or have only white space between them, so that each can be judged as a phrase. */
function joined(parts: readonly (TextChange | string)[]): TextChange[] {
  const changes: TextChange[] = []
  let between = ''
  let isNear = false
  for (const part of parts) {
    if (typeof part === 'string') {
      isNear &&= part.trim() === '' && !part.includes('\n')
      between += part
      continue
    }
    const last = changes.at(-1)
    if (last && isNear) {
      const [before, after] = [`${last.before}${between}${part.before}`, `${last.after}${between}${part.after}`]
      changes[changes.length - 1] = { start: last.start, end: part.end, before, after }
    } else changes.push(part)
    between = ''
    isNear = true
  }
  return changes
}
