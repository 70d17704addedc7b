import { call } from '../../../api/call.ts'
import { type Page, searchOf } from '../../../api/lists.ts'
import type { Observable, Relationship } from '../../../api/resources.ts'
import type { NewObservable, RelatedEntity } from '../entity-draft.ts'
import { nodeOf } from '../node-of.ts'
import { seenFrom } from '../relationship-queries.ts'

/** What a text is about, as far as pages show it. */
export interface TextAnalysis {
  readonly observables: readonly {
    readonly type: string
    readonly value: string
    readonly sentence: string
    readonly is_excluded: boolean
  }[]
  readonly entities: readonly (RelatedEntity & {
    readonly is_unified: boolean
    readonly mentions: readonly unknown[]
  })[]
  readonly attacks: readonly FoundTechnique[]
  readonly notes: readonly string[]
}

export interface FoundTechnique {
  readonly technique: string
  readonly name: string
  /** The URLs of its nodes. */
  readonly attacks: readonly string[]
  readonly score: number
  readonly found_by: readonly ('id' | 'name' | 'text')[]
  readonly evidence: readonly { readonly sentence: string; readonly similar_to: string | null }[]
}

/** What an entity has already. */
export interface Has {
  readonly observables: readonly NewObservable[]
  /** The ids of related entities. */
  readonly related: readonly string[]
  /** The ids of attack nodes. */
  readonly nodes: readonly string[]
}

/** Analyses a text without storing anything. */
export const analyseText = async (text: string): Promise<TextAnalysis> =>
  (await call<{ data: TextAnalysis }>('POST', 'text-analysis', { data: { text } })).data

/** Large entities may have more, which are then offered again. */
const LIMIT = 1_000

/** The observables and related entities of a saved entity, as far as the user may read them. */
export async function savedParts(id: string, canReadObservables: boolean): Promise<Omit<Has, 'nodes'>> {
  const [observables, relationships] = await Promise.all([
    canReadObservables
      ? call<Page<Observable>>(
          'GET',
          `observables${searchOf({ 'filter[entities]': id, limit: LIMIT, attributes: 'type,value' })}`,
        )
      : { data: [] },
    call<Page<Relationship>>('GET', `relationships${searchOf({ 'filter[entities]': id, limit: LIMIT })}`),
  ])
  const seen = seenFrom(new Set([id]), relationships.data)
  return { observables: observables.data, related: seen.map(({ otherId }) => otherId) }
}

/** The text of an entity that is analysed; empty if there is none. */
export const textOf = ({ title, description }: Readonly<Record<string, unknown>>): string =>
  [title, description].filter((each) => typeof each === 'string' && each.trim() !== '').join('\n\n')

/** The part of an analysis that an entity does not have yet. `own` is its id. */
export function remaining(analysis: TextAnalysis, has: readonly Has[], own?: string): TextAnalysis {
  const keyOf = ({ type, value }: NewObservable) => `${type} ${value}`
  const observables = new Set(has.flatMap((each) => each.observables.map(keyOf)))
  const related = new Set([own, ...has.flatMap((each) => each.related)])
  const nodes = new Set(has.flatMap((each) => each.nodes))
  return {
    ...analysis,
    observables: analysis.observables.filter((each) => !observables.has(keyOf(each))),
    // Unified entities take no relationships of their own; their contributors are in the list, too.
    entities: analysis.entities.filter(({ id, is_unified }) => !is_unified && !related.has(id)),
    attacks: analysis.attacks.filter(({ attacks }) => !attacks.every((each) => nodes.has(nodeOf(each)))),
  }
}

/** The ids of the attack nodes in the metadata of an entity. */
export const nodesIn = ({ attacks }: Readonly<Record<string, unknown>>): readonly string[] =>
  Array.isArray(attacks) ? attacks.map((each) => nodeOf(String(each))) : []

/** Attack nodes together with those of a technique. */
export const withNodes = (nodes: readonly string[], { attacks }: FoundTechnique): readonly string[] => [
  ...new Set([...nodes, ...attacks.map(nodeOf)]),
]
