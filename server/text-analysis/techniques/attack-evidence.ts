import type { Node } from '../../attack/classification/nodes.ts'
import type { Sentences } from '../../formats/text/sentences.ts'

/** How a technique was found: the text has its id or its name, or a sentence is similar to texts about it. */
export type FoundBy = 'id' | 'name' | 'text'

export interface Hit {
  readonly by: FoundBy
  /** Of the id, the name or the sentence. */
  readonly start: number
  readonly end: number
  /** Between 0 and 1. */
  readonly score: number
  /** The procedure that is most similar; null if it is the description of the technique. Only of sentences. */
  readonly procedure?: number | null
}

export interface Evidence extends Hit {
  readonly sentence: string
  /** What the framework tells of the use of the technique. */
  readonly similarTo?: string | null
}

/** A technique or tactic that a text is about, and why. */
export interface FoundTechnique {
  /** For example `T1566.001`. */
  readonly id: string
  readonly name: string
  readonly matrix: string
  /** The ids of its places, with which entities are classified. */
  readonly nodes: readonly string[]
  readonly score: number
  readonly foundBy: readonly FoundBy[]
  /** The best first. */
  readonly evidence: readonly Evidence[]
}

/** Of one technique. */
const MOST_EVIDENCE = 5
const ORDER: readonly FoundBy[] = ['id', 'name', 'text']

interface Collected {
  readonly places: readonly Node[]
  /** The places that the text names by id, which may be fewer. */
  readonly named: Set<string>
  readonly foundBy: Set<FoundBy>
  hits: Hit[]
}

/** Collects why a text is about techniques. */
export class AttackEvidence {
  readonly #sentences: Sentences
  readonly #found = new Map<string, Collected>()

  constructor(sentences: Sentences) {
    this.#sentences = sentences
  }

  /** Adds a hit of one technique in these places. */
  add(places: readonly Node[], hit: Hit): void {
    const [first] = places
    if (!first) return
    const key = `${first.matrix} ${first.external_id}`
    const known = this.#found.get(key) ?? { places, named: new Set(), foundBy: new Set(), hits: [] }
    this.#found.set(key, known)
    known.foundBy.add(hit.by)
    if (hit.by === 'id') for (const { id } of places) known.named.add(id)
    known.hits.push(hit)
    // A long text may name a technique thousands of times.
    if (known.hits.length > 10 * MOST_EVIDENCE) known.hits = bestOf(known.hits)
  }

  /** The techniques with the highest scores. */
  best(most: number): FoundTechnique[] {
    return [...this.#found.values()]
      .map((collected) => this.#techniqueOf(collected))
      .sort((a, b) => b.score - a.score || (a.evidence[0]?.start ?? 0) - (b.evidence[0]?.start ?? 0))
      .slice(0, most)
  }

  #techniqueOf({ places, named, foundBy, hits }: Collected): FoundTechnique {
    const evidence = bestOf(hits).map((hit) => ({ ...hit, sentence: this.#sentences.at(hit.start, hit.end) }))
    const [first] = places
    return {
      id: first?.external_id ?? '',
      name: first?.name ?? '',
      matrix: first?.matrix ?? '',
      nodes: named.size > 0 ? [...named].sort() : places.map(({ id }) => id),
      score: evidence[0]?.score ?? 0,
      foundBy: ORDER.filter((by) => foundBy.has(by)),
      evidence,
    }
  }
}

const bestOf = (hits: readonly Hit[]): Hit[] =>
  [...hits].sort((a, b) => b.score - a.score || a.start - b.start).slice(0, MOST_EVIDENCE)
