import type { Enrichment, ObservableLink } from './enriching.ts'
import { contentOf, detailOf } from './holding-ids.ts'
import type { Sight } from './seen-holdings.ts'
import type { World } from './world.ts'

/**
 * What a viewer sees of the results of enrichers: those about observables that they see, under a key of the source of the enricher that
 * they hold. Everybody who may read enrichers sees these, their limits and the length of their queues.
 */
export function seenEnriching({ holdings }: World, sight: Sight): { names: string[]; texts: string[] } {
  const isHeld = isHeldBy(holdings.enrichers, sight)
  const enrichments = holdings.enrichments.filter((each) => isHeld(each) && sight.seen.has(each.observable))
  const links = holdings.observableLinks.filter(
    (link) => isHeld(link) && sight.seen.has(link.observable) && sight.seen.has(link.target),
  )
  const open = [...holdings.enrichers, ...holdings.enricherDefinitions, ...holdings.enricherTables]
  return {
    names: [...open, ...enrichments, ...links].map(({ name }) => name),
    texts: [
      ...holdings.enrichers.map(({ name }) => `${name}reason`),
      ...enrichments.flatMap(({ name, hasRaw }) => [detailOf(name), ...(hasRaw ? [contentOf(name)] : [])]),
    ],
  }
}

/** Whether a result or a link is under a key that is allowed. */
export const isHeldBy =
  (enrichers: World['holdings']['enrichers'], { allows }: Pick<Sight, 'allows'>) =>
  ({ enricher, colour }: Pick<Enrichment | ObservableLink, 'enricher' | 'colour'>): boolean => {
    const source = enrichers.find(({ name }) => name === enricher)?.source
    return source !== undefined && allows(source, colour)
  }
