import type { Shipment } from '../../shipment.ts'
import { textIn } from './fields.ts'
import { type KindName, kindOf } from './kinds.ts'

/** A relationship as a component has it: to what, and why. */
export interface Link {
  readonly target: string
  readonly targetType: string
  readonly kind: KindName
  readonly key: string
  readonly description: string | undefined
  readonly confidence: unknown
}

/** The relationships of each entity, held in a few numbers each: a hundred thousand of them take a few megabytes. */
export interface LinkIndex {
  of(id: string): Link[]
}

/** Reads all relationships once; what STIX has no words for is lost here. */
export async function indexLinks(shipment: Shipment, lose: (id: string, loss: string) => void): Promise<LinkIndex> {
  const words = interned()
  const first = new Map<number, number>()
  const last = new Map<number, number>()
  const rows: number[] = []
  const confidences = new Map<number, unknown>()
  for await (const { id, data, target_type, meta } of shipment.relationships()) {
    const source = words.numberOf(data.source)
    const at = rows.length
    const description = textIn(data.description)
    rows.push(
      words.numberOf(data.target),
      words.numberOf(target_type),
      words.numberOf(data.key),
      description ? words.numberOf(description) : -1,
      -1,
    )
    if (data.confidence !== undefined) confidences.set(at, data.confidence)
    const before = last.get(source)
    if (before === undefined) first.set(source, at)
    else rows[before + NEXT] = at
    last.set(source, at)
    if (meta.tlp_color && meta.tlp_color !== 'NONE')
      lose(id, `the colour ${meta.tlp_color} of a relationship has no place in STIX 1.2`)
  }
  last.clear()
  return {
    of(id) {
      const source = words.known(id)
      const links: Link[] = []
      for (
        let at = source === undefined ? undefined : first.get(source);
        at !== undefined && at >= 0;
        at = rows[at + NEXT]
      ) {
        const [target = 0, type = 0, key = 0, description = -1] = rows.slice(at, at + NEXT)
        links.push({
          target: words.at(target),
          targetType: words.at(type),
          kind: kindOf(words.at(type)),
          key: words.at(key),
          description: description < 0 ? undefined : words.at(description),
          confidence: confidences.get(at),
        })
      }
      return links
    },
  }
}

const NEXT = 4

function interned() {
  const numbers = new Map<string, number>()
  const words: string[] = []
  return {
    numberOf(word: string): number {
      const known = numbers.get(word)
      if (known !== undefined) return known
      numbers.set(word, words.length)
      return words.push(word) - 1
    },
    known: (word: string): number | undefined => numbers.get(word),
    at: (number: number): string => words[number] ?? '',
  }
}
