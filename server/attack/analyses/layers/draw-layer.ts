import { isTechnique, type Nodes } from '../../classification/nodes.ts'
import type { Gaps } from '../../heat/gaps.ts'
import type { Heat } from '../../heat/heat.ts'
import type { KeptLayer, LayerTechnique } from './layer.ts'
import { placedAt } from './remap-techniques.ts'

/** What the scores of a layer are. */
export const LAYER_KINDS = ['threat', 'coverage', 'gap'] as const
export type LayerKind = (typeof LAYER_KINDS)[number]

/** What a layer is drawn from. */
export interface Drawing {
  readonly nodes: Nodes
  readonly kind: LayerKind
  readonly name: string
  readonly description: string
  readonly heat: Heat
  readonly gaps: Gaps
  /** Titles of entities that the exporter sees, by the ids of nodes; there may be more entities than titles. */
  readonly titles: ReadonlyMap<string, readonly string[]>
}

type Row = Gaps['data'][number]

const MAX_LISTED = 10
const MAX_OUTSIDE = 50

const COLOURS: Readonly<Record<LayerKind, readonly string[]>> = {
  threat: ['#ffffff', '#ff6666'],
  coverage: ['#ff6666', '#ffe766', '#8ec843'],
  gap: ['#ffffff', '#ff6666'],
}
const LEGENDS: Readonly<Record<LayerKind, readonly [low: string, high: string]>> = {
  threat: ['No entity', 'Most entities'],
  coverage: ['Not covered', 'Covered'],
  gap: ['Covered or not used', 'Used and not covered'],
}

/** Draws a layer of what is known about each technique. */
export function drawLayer(drawing: Drawing): KeptLayer {
  const { nodes, kind, name, description, heat, gaps } = drawing
  const rows = gaps.data
    .filter(({ threat }) => kind === 'coverage' || threat > 0)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const techniques = rows.flatMap((row): LayerTechnique[] => {
    const node = nodes.get(row.id)
    const comment = commentOf(drawing, row)
    const technique = { techniqueID: '', score: scoreOf(kind, row), ...(comment && { comment }) }
    return node ? [placedAt(nodes, node, technique)] : []
  })
  const [low = '', ...others] = COLOURS[kind]
  const [lowLabel, highLabel] = LEGENDS[kind]
  const largest = kind === 'threat' ? Math.max(1, ...rows.map(({ score }) => score)) : 100
  return {
    name,
    domain: heat.matrix,
    description,
    techniques,
    gradient: { colors: [low, ...others], minValue: 0, maxValue: rounded(largest) },
    legendItems: [
      { label: lowLabel, color: low },
      { label: highLabel, color: others.at(-1) ?? low },
    ],
    metadata: factsOf(drawing),
    sorting: 3,
    layout: { layout: 'side', showID: false, showName: true, expandedSubtechniques: 'annotated' },
  }
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000

const scoreOf = (kind: LayerKind, { score, share, gap }: Row): number =>
  kind === 'threat' ? rounded(score) : Math.round((kind === 'gap' ? gap : share) * 100)

function commentOf({ kind, titles }: Drawing, row: Row): string {
  const entities = [counted(row.count, 'entity', 'entities'), ...listed(titles.get(row.id) ?? [], row.count)]
  const isUsed = row.count > 0
  if (kind === 'threat') return isUsed ? entities.join('\n') : ''
  const mitigations = counted(row.mitigations, 'mitigation', 'mitigations')
  const analytics = `${row.possible_analytics} of ${counted(row.analytics, 'analytic', 'analytics')} possible`
  const defended = `Covered ${percent(row.share)}: ${mitigations}, ${analytics}.`
  if (kind === 'coverage') return defended
  const missing = row.missing_log_sources.map(({ name, channel }) => (channel ? `${name}: ${channel}` : name))
  return [
    `Threat ${percent(row.threat)}. ${defended}`,
    ...(missing.length > 0
      ? ['Log sources that are not collected:', ...listed(missing.slice(0, MAX_LISTED), missing.length)]
      : []),
    ...(isUsed ? entities : []),
  ].join('\n')
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Some of a number of things, and how many more there are. */
function listed(some: readonly string[], count: number): string[] {
  const more = count - some.length
  return [...some.map((each) => `- ${each}`), ...(more > 0 && some.length > 0 ? [`and ${more} more`] : [])]
}

/** What a layer cannot show on a technique. */
function factsOf({ nodes, heat }: Drawing): { name: string; value: string }[] {
  const above = heat.data.filter(({ id }) => {
    const node = nodes.get(id)
    return node !== undefined && !isTechnique(node)
  })
  const all = [
    ...above.map(({ id, count }) => `${id} ${nodes.get(id)?.name ?? ''}: ${count}`),
    ...heat.outside.map(({ id, state, count }) => `${id} (${state}): ${count}`),
  ]
  const more = all.length - MAX_OUTSIDE
  return [
    { name: 'Entities', value: String(heat.total_count) },
    ...(all.length > 0
      ? [
          {
            name: 'Entities classified with what no technique shows',
            value: [...all.slice(0, MAX_OUTSIDE), ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
          },
        ]
      : []),
  ]
}
