import { termsOf } from './terms.ts'

/** The texts that contain a term, and how much the term says about each. */
export interface Posting {
  readonly texts: Uint32Array
  readonly weights: Float32Array
}

export type Postings = ReadonlyMap<string, Posting>

// Okapi BM25 with its usual constants.
const K1 = 1.2
const B = 0.75

/** Texts or terms that are handled between two yields. */
const PORTION = 500

/**
 * Prepares texts for ranking by BM25: what a term adds to the score of a text is computed here, once. Yields after each portion, so that the
 * caller can let other work run.
 */
export function* postingsOf(texts: readonly string[]): Generator<undefined, Postings> {
  const lengths = new Uint32Array(texts.length)
  const lists = new Map<string, number[]>()
  for (const [i, text] of texts.entries()) {
    const terms = termsOf(text)
    lengths[i] = terms.length
    for (const [term, count] of countsOf(terms)) {
      const list = lists.get(term)
      if (list) list.push(i, count)
      else lists.set(term, [i, count])
    }
    if (i % PORTION === PORTION - 1) yield
  }
  const average = Math.max(1, lengths.reduce((sum, each) => sum + each, 0) / Math.max(1, texts.length))
  const norms = Float32Array.from(lengths, (length) => K1 * (1 - B + (B * length) / average))
  const postings = new Map<string, Posting>()
  for (const [term, list] of lists) {
    postings.set(term, postingOf(list, norms))
    if (postings.size % PORTION === 0) yield
  }
  return postings
}

/** A list of texts and counts, alternating. */
function postingOf(list: readonly number[], norms: Float32Array): Posting {
  const size = list.length / 2
  const rarity = Math.log(1 + (norms.length - size + 0.5) / (size + 0.5))
  const texts = new Uint32Array(size)
  const weights = new Float32Array(size)
  for (let i = 0; i < size; i++) {
    const text = list[2 * i] ?? 0
    const count = list[2 * i + 1] ?? 0
    texts[i] = text
    weights[i] = (rarity * count * (K1 + 1)) / (count + (norms[text] ?? 0))
  }
  return { texts, weights }
}

function countsOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
