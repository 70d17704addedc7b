import { useAiFeature } from '../../ai/features.ts'
import { EntityMatrix } from '../../attack/matrix/entity-matrix.tsx'
import { EntityPage, type EntityTab } from '../../intelligence/entity/entity.tsx'
import { isUnified } from '../../intelligence/entity/entity-queries.ts'
import { ExtractionTab } from '../../intelligence/extraction/extraction-tab.tsx'
import { ResearchTab } from '../../intelligence/research/research-tab.tsx'
import { TranslationTab } from '../../intelligence/translation/translation-tab.tsx'
import { DetonateButton } from '../detonations/detonate-button.tsx'
import { DetonateEntities } from '../detonations/detonate-entities-button.tsx'
import { DetonationsTab } from '../detonations/entity-tab.tsx'
import { RunPlaybookButton } from '../playbooks/runs/run-button.tsx'
import { EnrichmentTab } from './enrichment-tab.tsx'
import { EntityMenu } from './entity-menu.tsx'

const TABS: readonly EntityTab[] = [
  {
    name: 'attack',
    label: 'ATT&CK',
    content: EntityMatrix,
    permission: 'read attack',
    count: ({ meta }) => meta.attacks?.length ?? 0,
  },
  { name: 'enrichment', label: 'Enrichment', content: EnrichmentTab, permission: 'read enrichments' },
  { name: 'detonations', label: 'Detonations', content: DetonationsTab, permission: 'read detonations' },
]

const EXTRACTION: EntityTab = {
  name: 'extraction',
  label: 'Extract entities',
  content: ExtractionTab,
  isShown: (entity) => !isUnified(entity) && typeof entity.data.description === 'string',
  isOnDemand: true,
}
const TRANSLATION: EntityTab = {
  name: 'translation',
  label: 'Translate',
  content: TranslationTab,
  isOnDemand: true,
}
const RESEARCH: EntityTab = { name: 'research', label: 'Research', content: ResearchTab, isOnDemand: true }

/** The page of an entity, with its techniques, what enrichers and sandboxes say about it, and what language models can do with its text. */
export function EntityWithEnrichment() {
  const canExtract = useAiFeature('ai_entity_extraction')
  const canTranslate = useAiFeature('ai_translation')
  const canJudge = useAiFeature('ai_contextual_relevancy')
  const canEnrich = useAiFeature('ai_web_enrichment')
  const onDemand = [
    ...(canExtract ? [EXTRACTION] : []),
    ...(canTranslate ? [TRANSLATION] : []),
    ...(canJudge || canEnrich ? [RESEARCH] : []),
  ]
  return (
    <EntityPage
      tabs={[...TABS, ...onDemand]}
      actions={(entity) => (
        <>
          {entity.attachments.length > 0 && (
            <DetonateEntities title="Detonate the samples of this entity" queries={[`id:${entity.id}`]} />
          )}
          <EntityMenu entity={entity} tabs={onDemand} />
          {!isUnified(entity) && (
            <RunPlaybookButton size="sm" target={{ collection: 'entities', ids: [entity.id], count: 1 }} />
          )}
        </>
      )}
      attachmentActions={({ id, filename }, { meta }) => (
        <DetonateButton
          sample={{ via: 'attachment', id, name: filename, tlp: meta.tlp_color ?? null }}
          button={{ size: 'compact-xs', 'aria-label': `Detonate ${filename}` }}
        />
      )}
    />
  )
}
