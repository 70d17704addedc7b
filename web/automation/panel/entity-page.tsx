import { EntityPage, type EntityTab } from '../../intelligence/entity/entity.tsx'
import { EnrichmentTab } from './enrichment-tab.tsx'

const TABS: readonly EntityTab[] = [
  { name: 'enrichment', label: 'Enrichment', content: EnrichmentTab, permission: 'read enrichments' },
]

/** The page of an entity, with what enrichers say about its observables. */
export const EntityWithEnrichment = () => <EntityPage tabs={TABS} />
