import { counted } from '../analyses/analysis.ts'
import type { ChangeReport, NamingQuery, UsedNode, Uses } from './change-report.ts'
import type { Remapped } from './framework.ts'

/** What happens to a node in use, with its display name. */
export const OUTCOMES = {
  remapped: { label: 'Mapped', color: 'blue' },
  review: { label: 'To be reviewed', color: 'yellow' },
  kept: { label: 'Kept', color: 'gray' },
} as const satisfies Record<UsedNode['outcome'], { readonly label: string; readonly color: string }>

/** Where an object with a query has its page; undefined if it has none of its own. */
const PAGES: Readonly<Record<string, string>> = {
  datasets: '/datasets',
  discovery_rules: '/discovery-rules',
  entity_rules: '/entity-rules',
  enrichment_rules: '/enrichment-rules',
  webhooks: '/admin/webhooks',
}

const KINDS: Readonly<Record<string, string>> = {
  saved_queries: 'Saved query',
  datasets: 'Dataset',
  widgets: 'Widget',
  entity_rules: 'Entity rule',
  discovery_rules: 'Discovery rule',
  enrichment_rules: 'Enrichment rule',
  webhooks: 'Webhook',
}

/** The display name of what has a query. */
export const queryKindName = (kind: string): string => KINDS[kind] ?? kind.replaceAll('_', ' ')

/** The page of an object with a query. */
export const pageOfQuery = ({ kind, id }: NamingQuery): string | undefined =>
  PAGES[kind] === undefined ? undefined : `${PAGES[kind]}/${id}`

/** What uses a node apart from queries, in words: “12 entities, 1 annotation”. */
export function usesInWords({ entities, annotations, layers, links }: Omit<Uses, 'queries'>): string {
  const parts = [
    ...(entities > 0 ? [counted(entities, 'entity', 'entities')] : []),
    ...(annotations > 0 ? [counted(annotations, 'annotation', 'annotations')] : []),
    ...(layers > 0 ? [counted(layers, 'layer', 'layers')] : []),
    ...(links > 0 ? [counted(links, 'technique of your own defenses', 'techniques of your own defenses')] : []),
  ]
  return parts.join(', ')
}

/** What loading a version means for what is stored here, in sentences. */
export function consequencesOf({ uses, renamed_uses }: Pick<ChangeReport, 'uses' | 'renamed_uses'>): readonly string[] {
  const of = (outcome: UsedNode['outcome']) => uses.filter((node) => node.outcome === outcome).length
  const [remapped, review, kept, renamed] = [of('remapped'), of('review'), of('kept'), renamed_uses.length]
  const nodes = (count: number) => counted(count, 'node in use', 'nodes in use')
  const sentences = [
    ...(remapped > 0 ? [`${nodes(remapped)} ${remapped === 1 ? 'is' : 'are'} mapped to the successor.`] : []),
    ...(review > 0
      ? [
          `${nodes(review)} ${review === 1 ? 'has' : 'have'} several successors and ${review === 1 ? 'goes' : 'go'} to the review queue.`,
        ]
      : []),
    ...(kept > 0
      ? [
          `${nodes(kept)} ${kept === 1 ? 'has' : 'have'} no successor; what uses ${kept === 1 ? 'it keeps it' : 'them keeps them'}.`,
        ]
      : []),
    ...(renamed > 0
      ? [`${nodes(renamed)} ${renamed === 1 ? 'gets' : 'get'} another name: check that the meaning is the same.`]
      : []),
  ]
  return sentences.length > 0 ? sentences : ['Nothing that is stored here uses a node that changes.']
}

/** What a load changed, in words. */
export function remappedInWords({ entities, annotations, layers, links }: Remapped): string {
  const changed = usesInWords({ entities, annotations, layers, links })
  return changed === '' ? 'Nothing that is stored here had to be changed.' : `Changed ${changed}.`
}
