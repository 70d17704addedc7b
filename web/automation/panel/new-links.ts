import { idOf } from '../../api/lists.ts'
import type { Enricher, Enrichment, ObservableLink } from '../../api/resources.ts'
import { type GraphEdge, observableKey } from '../../graph/model.ts'
import { relationName } from '../enrichers/enricher-result.ts'

/** Links between observables as edges of a graph. */
export const linkEdges = (links: readonly ObservableLink[]): ReadonlyMap<string, GraphEdge> =>
  new Map(
    links.map((link): [string, GraphEdge] => {
      const [source, target] = [observableKey(idOf(link.observable)), observableKey(idOf(link.target))]
      return [`${source} ${target}`, { kind: 'observable', source, target, label: relationName(link.relation) }]
    }),
  )

/** The ids of the sources of enrichers whose results name entities. */
export function sourcesOf(
  results: readonly Pick<Enrichment, 'enricher' | 'findings'>[],
  enrichers: readonly Pick<Enricher, 'id' | 'source'>[],
): readonly string[] {
  const naming = new Set(
    results
      .filter(({ findings }) => findings.some(({ kind }) => kind === 'entity'))
      .map(({ enricher }) => idOf(enricher)),
  )
  return enrichers.filter(({ id }) => naming.has(String(id))).map(({ source }) => idOf(source))
}
