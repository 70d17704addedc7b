import { isTechnique, type Nodes } from '../../classification/nodes.ts'
import { FORMAT, type KeptLayer, type LayerTechnique } from './layer.ts'
import { joinTexts, mergeTechniques } from './merge-techniques.ts'
import { NOTE } from './place-layer.ts'
import { placesIn } from './places.ts'
import { placedAt } from './remap-techniques.ts'
import { majorOf, NAVIGATOR, type WrittenLayer } from './written-layer.ts'

/** What is written in a layer besides what it keeps. */
export interface LayerContext {
  readonly nodes: Nodes
  /** Of the framework. */
  readonly version: string
  /** Annotations by the ids of nodes. */
  readonly notes: ReadonlyMap<string, string>
}

/**
 * Writes a layer in the current format, with annotations as comments. Each technique is at one node; those that no version has are written as
 * they are. Reading what was written gives the same layer and annotations again.
 */
export function writeLayer({ nodes, version, notes }: LayerContext, kept: KeptLayer): WrittenLayer {
  const { name, domain, techniques = [], metadata, ...rest } = kept
  const placesOf = placesIn(nodes, domain)
  const slots = techniques.flatMap((technique, i) => {
    const own = placesOf(technique).nodes
    if (own.length === 0) return [{ key: String(i), technique }]
    return own.map((node) => ({ key: node.id, technique: placedAt(nodes, node, technique) }))
  })
  const placed = [...Map.groupBy(slots, ({ key }) => key)].map(
    ([key, same]) => [key, mergeTechniques(same.map(({ technique }) => technique))] as const,
  )
  const written = new Set(placed.map(([key]) => key))
  const others = [...notes.keys()].filter((id) => !written.has(id)).sort()
  const facts = [...(metadata ?? []), ...others.flatMap((id) => factOf(nodes, notes, id))]
  return {
    ...rest,
    name,
    versions: { attack: majorOf(version), navigator: NAVIGATOR, layer: FORMAT },
    domain: domain as WrittenLayer['domain'],
    techniques: [
      ...placed.map(([key, technique]) => withNote(technique, notes.get(key))),
      ...others.flatMap((id) => bareTechnique(nodes, notes, id)),
    ],
    ...((metadata || facts.length > 0) && { metadata: facts as NonNullable<WrittenLayer['metadata']> }),
  } as WrittenLayer
}

const withNote = (technique: LayerTechnique, note: string | undefined): LayerTechnique =>
  note === undefined ? technique : { ...technique, comment: joinTexts([technique.comment, note]) }

/** A technique that has nothing but its annotation. */
function bareTechnique(nodes: Nodes, notes: LayerContext['notes'], id: string): LayerTechnique[] {
  const node = nodes.get(id)
  if (!node || !isTechnique(node)) return []
  return [withNote(placedAt(nodes, node, { techniqueID: node.external_id }), notes.get(id))]
}

/** The annotation of what is no technique. */
function factOf(nodes: Nodes, notes: LayerContext['notes'], id: string): { name: string; value: string }[] {
  const node = nodes.get(id)
  return node && isTechnique(node) ? [] : [{ name: `${NOTE}${id}`, value: notes.get(id) ?? '' }]
}
