import type { Node, Nodes } from '../../classification/nodes.ts'
import { currentLayer } from './current-layer.ts'
import type { KeptLayer, LayerTechnique, SentLayer } from './layer.ts'
import { joinTexts, mergeTechniques } from './merge-techniques.ts'
import { type Places, placesIn } from './places.ts'
import { placedAt } from './remap-techniques.ts'

/** A technique as a layer names it; null stands for all its tactics. */
interface Named {
  readonly techniqueID: string
  readonly tactic: string | null
}

/** What became of the techniques of a layer. */
export interface PlacedReport {
  readonly mapped: readonly (Named & { readonly nodes: readonly string[] })[]
  readonly kept: readonly (Named & { readonly nodes: readonly string[] })[]
  readonly unknown: readonly Named[]
  readonly merged: readonly { readonly node: string; readonly techniques: readonly Named[] }[]
}

/** A layer on the nodes of the current version. */
export interface PlacedLayer {
  readonly layer: KeptLayer
  /** What the layer says about each node: its comments. */
  readonly notes: ReadonlyMap<string, string>
  readonly report: PlacedReport
}

/** Metadata of this name holds the annotation of a tactic or a matrix, which no technique of a layer can. */
export const NOTE = 'Annotation of '

/** Puts each technique of a layer on the nodes that it means, and takes out the comments of those that are known. */
export function placeLayer(nodes: Nodes, sent: SentLayer): PlacedLayer {
  const placesOf = placesIn(nodes, sent.domain)
  const { techniques = [], metadata, ...layer } = currentLayer(sent)
  const placed = techniques.map((technique) => ({ technique, places: placesOf(technique) }))
  const slots = placed.flatMap(({ technique, places }, i): Slot[] =>
    places.nodes.length === 0
      ? [{ key: String(i), node: undefined, technique, placed: technique }]
      : places.nodes.map((node) => ({ key: node.id, node, technique, placed: placedAt(nodes, node, technique) })),
  )
  const groups = [...Map.groupBy(slots, ({ key }) => key).values()]
  const merged = groups.map((group) => ({
    node: group[0]?.node,
    technique: mergeTechniques(group.map((s) => s.placed)),
  }))
  const facts = metadata?.map((fact) => ({ fact, node: notedNode(nodes, sent, fact.name) }))
  const own = (facts ?? []).flatMap(({ fact, node }) => (node ? [] : [fact]))
  const noted = [
    ...merged.map(({ node, technique }) => ({ node, text: technique.comment })),
    ...(facts ?? []).map(({ fact, node }) => ({ node, text: fact.value })),
  ]
  return {
    layer: {
      ...layer,
      techniques: merged.map(({ node, technique }) => (node ? withoutComment(technique) : technique)),
      // Metadata of annotations only is as good as none.
      ...(own.length > 0 && { metadata: own }),
    },
    notes: notesOf(noted),
    report: { ...reportOf(placed), merged: mergedIn(groups) },
  }
}

interface Slot {
  readonly key: string
  readonly node: Node | undefined
  /** As the layer names it, and as it is at the node. */
  readonly technique: LayerTechnique
  readonly placed: LayerTechnique
}

function withoutComment({ comment: _, ...rest }: LayerTechnique): LayerTechnique {
  return rest
}

/** The tactic or matrix that metadata of a layer is an annotation of. */
function notedNode(nodes: Nodes, { domain }: SentLayer, name = ''): Node | undefined {
  const node = name.startsWith(NOTE) ? nodes.get(name.slice(NOTE.length)) : undefined
  return node?.matrix === domain && (node.type === 'tactic' || node.type === 'matrix') ? node : undefined
}

function notesOf(noted: readonly { readonly node: Node | undefined; readonly text: string | undefined }[]) {
  const given = noted.filter(({ node, text }) => node && text)
  const byNode = Map.groupBy(given, ({ node }) => node?.id ?? '')
  return new Map([...byNode].map(([id, same]) => [id, joinTexts(same.map(({ text }) => text))]))
}

function reportOf(placed: readonly { readonly technique: LayerTechnique; readonly places: Places }[]) {
  const inState = (state: Places['state']) => placed.filter(({ places }) => places.state === state)
  const withNodes = (state: Places['state']) =>
    inState(state).map(({ technique, places }) => ({ ...nameOf(technique), nodes: places.nodes.map(({ id }) => id) }))
  return {
    mapped: withNodes('mapped'),
    kept: withNodes('kept'),
    unknown: inState('unknown').map(({ technique }) => nameOf(technique)),
  }
}

const mergedIn = (groups: readonly (readonly Slot[])[]): PlacedReport['merged'] =>
  groups.flatMap((group) => {
    const node = group[0]?.node
    return node && group.length > 1
      ? [{ node: node.id, techniques: group.map(({ technique }) => nameOf(technique)) }]
      : []
  })

const nameOf = ({ techniqueID, tactic }: LayerTechnique): Named => ({ techniqueID, tactic: tactic ?? null })
