import { isTechnique, type Node, type Nodes } from '../../attack/classification/nodes.ts'
import { isLive } from '../../attack/classification/references.ts'
import type { TextAnalysis } from '../../text-analysis/analyse-text.ts'
import { findQuote, type Quotable } from '../grounding/quotes.ts'
import type { DropCounter } from './dropped.ts'

/** A technique or tactic that an entity is classified with. */
export interface SupportedAttack {
  /** For example `T1566.001`. */
  readonly technique: string
  readonly name: string
  /** The ids of its places. */
  readonly nodes: readonly string[]
}

/** What supports an attack node: a piece of the text, and where in the whole text it and the quote stand. */
export interface Support {
  readonly piece: Quotable
  readonly from: number
  readonly to: number
  readonly quote: { readonly start: number; readonly end: number; readonly text: string }
}

const ONE_WORD = /^\S+$/
const ID = /^\s*(?:(?<tactic>TA\d{2,4})[:/])?(?<id>TA\d{2,4}|T\d{4}(?:[./]\d{3})?)(?![\p{L}\p{N}])/iu

/** Reads the attack nodes that a model names: those that are loaded, and that the text supports. */
export function supportedAttacks(nodes: Nodes, analysis: Pick<TextAnalysis, 'attacks'>, drops: DropCounter) {
  const byName = Map.groupBy(nodes.all.filter(isNamed), ({ name }) => name.toLowerCase())
  const inText = new Map(analysis.attacks.map((attack) => [attack.id, attack.evidence]))

  const meant = (said: string): readonly Node[] => {
    const { id, tactic } = ID.exec(said)?.groups ?? {}
    if (id === undefined) return byName.get(said.trim().toLowerCase()) ?? []
    const external = id.toUpperCase().replace('/', '.')
    const places = [nodes.get(external) ?? [], nodes.placesOf(external)].flat().filter(isLive)
    const below = tactic ? places.filter((place) => place.id === `${tactic.toUpperCase()}:${external}`) : []
    return below.length > 0 ? below : places
  }
  const isSupported = ({ external_id, name }: Node, { piece, from, to, quote }: Support): boolean => {
    const evidence = inText.get(external_id) ?? []
    // Its id or name may stand anywhere in the piece. A name such as "Impact" and a similar sentence have to be in the quote.
    return (
      (ONE_WORD.test(name) ? findQuote(quote.text, name) : piece.find(name)) !== undefined ||
      piece.find(external_id) !== undefined ||
      evidence.some(({ start, end }) => start < quote.end && end > quote.start && start >= from && end <= to)
    )
  }
  return (said: readonly string[], support: Support): SupportedAttack[] => {
    const found = new Map<string, SupportedAttack>()
    for (const each of said) {
      const places = meant(each)
      const [first] = places
      if (!first) drops.drop('unknown attack node')
      else if (!isSupported(first, support)) drops.drop('attack node not supported by text')
      else {
        const { external_id, name } = first
        found.set(external_id, { technique: external_id, name, nodes: places.map(({ id }) => id) })
      }
    }
    return [...found.values()]
  }
}

const isNamed = (node: Node): boolean => isLive(node) && (isTechnique(node) || node.type === 'tactic')
