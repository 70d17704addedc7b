import { type Posting, type Postings, postingsOf } from './postings.ts'
import { termsOf } from './terms.ts'

/** A technique that a sentence may be about. */
export interface Ranked {
  /** The position of the technique. */
  readonly technique: number
  /** The higher, the more similar; comparable between sentences of similar length. */
  readonly score: number
  /** The position of the text that is most similar. */
  readonly nearest: number
}

/** Finds the techniques whose texts are most similar to a sentence, best first. Some of them may be left out. */
export type Ranking = (sentence: string, most: number, isMeant?: (technique: number) => boolean) => readonly Ranked[]

/**
 * How much the nearest texts of a technique count, nearest first. Several that are similar say more than one, but techniques with thousands of
 * texts must not win by their number.
 */
const WEIGHTS = [1, 0.5, 0.25, 0.125] as const
const NEAREST = WEIGHTS.length

/** Prepares texts, each about the technique at the same position of `techniques`, for ranking. Yields so that other work can run. */
export function* rankingOf(texts: readonly string[], techniques: Uint32Array): Generator<undefined, Ranking> {
  const postings = yield* postingsOf(texts)
  const scores = new ScoresOfTexts(texts.length)
  const nearest = new NearestTexts(techniques.reduce((most, each) => Math.max(most, each + 1), 0))
  return (sentence, most, isMeant = () => true) => {
    scores.add(postings, sentence)
    scores.take((text, score) => nearest.add(techniques[text] ?? 0, text, score))
    const found = nearest.take().filter(({ technique }) => isMeant(technique))
    return found.sort(inOrder).slice(0, most)
  }
}

const inOrder = (a: Ranked, b: Ranked): number => b.score - a.score || a.technique - b.technique

/** The scores of all texts for one sentence. Only those that were touched are looked at and cleared. */
class ScoresOfTexts {
  readonly #scores: Float32Array
  readonly #touched: Uint32Array
  #size = 0

  constructor(texts: number) {
    this.#scores = new Float32Array(texts)
    this.#touched = new Uint32Array(texts)
  }

  add(postings: Postings, sentence: string): void {
    for (const term of new Set(termsOf(sentence))) {
      const posting = postings.get(term)
      if (posting) this.#addTerm(posting)
    }
  }

  #addTerm({ texts, weights }: Posting): void {
    for (let i = 0; i < texts.length; i++) {
      const text = texts[i] as number
      const known = this.#scores[text] as number
      if (known === 0) this.#touched[this.#size++] = text
      this.#scores[text] = known + (weights[i] as number)
    }
  }

  take(each: (text: number, score: number) => void): void {
    for (let i = 0; i < this.#size; i++) {
      const text = this.#touched[i] as number
      each(text, this.#scores[text] as number)
      this.#scores[text] = 0
    }
    this.#size = 0
  }
}

/** The scores of the nearest texts of each technique, in descending order, and the nearest text. */
class NearestTexts {
  readonly #scores: Float32Array
  readonly #first: Uint32Array
  readonly #touched = new Set<number>()

  constructor(techniques: number) {
    this.#scores = new Float32Array(techniques * NEAREST)
    this.#first = new Uint32Array(techniques)
  }

  add(technique: number, text: number, score: number): void {
    const start = technique * NEAREST
    if (score <= (this.#scores[start + NEAREST - 1] as number)) return
    let place = start + NEAREST - 1
    while (place > start && (this.#scores[place - 1] as number) < score) {
      this.#scores[place] = this.#scores[place - 1] as number
      place--
    }
    this.#scores[place] = score
    if (place === start) this.#first[technique] = text
    this.#touched.add(technique)
  }

  take(): Ranked[] {
    const ranked: Ranked[] = []
    for (const technique of this.#touched) {
      const start = technique * NEAREST
      let score = 0
      for (const [i, weight] of WEIGHTS.entries()) score += weight * (this.#scores[start + i] as number)
      this.#scores.fill(0, start, start + NEAREST)
      ranked.push({ technique, score, nearest: this.#first[technique] as number })
    }
    this.#touched.clear()
    return ranked
  }
}
