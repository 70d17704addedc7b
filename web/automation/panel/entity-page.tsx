import { EntityMatrix } from '../../attack/matrix/entity-matrix.tsx'
import { EntityPage, type EntityTab } from '../../intelligence/entity/entity.tsx'
import { EnrichmentTab } from './enrichment-tab.tsx'

const TABS: readonly EntityTab[] = [
  {
    name: 'attack',
    label: 'ATT&CK',
    content: EntityMatrix,
    permission: 'read attack',
    count: ({ meta }) => meta.attacks?.length ?? 0,
  },
  { name: 'enrichment', label: 'Enrichment', content: EnrichmentTab, permission: 'read enrichments' },
]

/** The page of an entity, with its techniques and what enrichers say about its observables. */
export const EntityWithEnrichment = () => <EntityPage tabs={TABS} />
