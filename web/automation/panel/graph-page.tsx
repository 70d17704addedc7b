import { idOf, listQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import type { Enricher, Enrichment, Entity, ObservableLink } from '../../api/resources.ts'
import { GraphPage } from '../../graph/graph.tsx'
import { entityKey, type GraphEdge, observableKey } from '../../graph/model.ts'
import type { NodeAction, NodeActionProps } from '../../graph/node-action.ts'
import { showToast } from '../../ui/toasts.tsx'
import { ENRICH_PERMISSIONS, EnrichDialog } from './enrich-dialog.tsx'
import { linkEdges, sourcesOf } from './new-links.ts'

const ACTIONS: readonly NodeAction[] = [{ label: 'Enrich', permissions: ENRICH_PERMISSIONS, Dialog: EnrichNodes }]

/** The graph, with an action that looks nodes up and adds what was found. */
export const GraphWithEnrichment = () => <GraphPage actions={ACTIONS} />

function EnrichNodes({ graph, keys, onClose }: NodeActionProps) {
  const entities = [...keys].filter((key) => key.startsWith('e:')).map((key) => key.slice(2))
  const observables = [...keys].filter((key) => key.startsWith('o:')).map((key) => Number(key.slice(2)))
  const title =
    keys.size === 1 ? `Enrich ${graph.labels.get([...keys][0] ?? '') ?? 'node'}` : `Enrich ${keys.size} nodes`
  const addFound = async () => {
    const found = await readFound(observables)
    const isNew = (key: string) => !graph.now().nodes.has(key)
    const added = [...new Set(found.keys)].filter(isNew)
    if (added.length > 0 || found.edges.size > 0) await graph.addLinked(found.keys, found.edges, 'Enrich')
    showToast(added.length === 0 ? 'Nothing new to add to the graph' : `${added.length} nodes added to the graph`)
  }
  return (
    <EnrichDialog title={title} target={{ entities, observables }} onClose={onClose} onEnded={() => void addFound()} />
  )
}

/** The most links and entities that one enrichment adds. */
const MAX_ADDED = 200

/** The nodes that enrichers link to observables: other observables, and the entities that services name. */
async function readFound(
  observables: readonly number[],
): Promise<{ readonly keys: readonly string[]; readonly edges: ReadonlyMap<string, GraphEdge> }> {
  if (observables.length === 0) return { keys: [], edges: new Map() }
  const fresh = { staleTime: 0 }
  const of = { 'filter[observable]': observables, limit: MAX_ADDED }
  const [links, results, enrichers] = await Promise.all([
    queries.fetchQuery({ ...listQuery<ObservableLink>('observable-links', { ...of, sort: '-created_at' }), ...fresh }),
    queries.fetchQuery({ ...listQuery<Enrichment>('enrichments', of), ...fresh }),
    queries.fetchQuery({ ...listQuery<Enricher>('enrichers', { sort: 'name', limit: 500 }), ...fresh }),
  ])
  const sources = sourcesOf(results.data, enrichers.data)
  const named =
    sources.length === 0
      ? []
      : (
          await queries.fetchQuery({
            ...listQuery<Pick<Entity, 'id'>>('entities', {
              'filter[observables]': observables,
              'filter[sources]': sources,
              attributes: 'id',
              limit: MAX_ADDED,
            }),
            ...fresh,
          })
        ).data
  const targets = links.data.map(({ target }) => observableKey(idOf(target)))
  return { keys: [...targets, ...named.map(({ id }) => entityKey(id))], edges: linkEdges(links.data) }
}
