import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Entity } from '../../api/resources.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { useAiFeature } from '../features.ts'
import { QuickSummary } from './summary-dialog.tsx'

/** A button that summarises an entity, if summaries are available. */
export function SummariseEntity({ entity }: { readonly entity: Entity }) {
  const isAvailable = useAiFeature('ai_intel_summary')
  const [isOpen, { open, close }] = useDisclosure()
  if (!isAvailable) return null
  return (
    <>
      <Button variant="default" onClick={open}>
        Summarise
      </Button>
      {isOpen && <QuickSummary id={entity.id} title={entityTitle(entity)} onClose={close} />}
    </>
  )
}
