import { Button, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { showErrorToast } from '../../ui/toasts.tsx'
import { useAiFeature } from '../features.ts'
import { ReportBuilder } from './report-builder.tsx'
import { JointSummary } from './summary-dialog.tsx'

/** The most entities of one summary or report. */
export const MAX_ENTITIES = 10

interface SummariseEntitiesProps {
  readonly count: number
  /** Reads the ids of the entities. */
  readonly readIds: () => Promise<readonly string[]>
  /** Which entities these are, if the user did not choose them. */
  readonly note?: string | undefined
  readonly size?: 'sm' | 'compact-sm'
}

/** Buttons that summarise entities and write a report about them, if that is available. */
export function SummariseEntities({ count, readIds, note, size = 'compact-sm' }: SummariseEntitiesProps) {
  const isAvailable = useAiFeature('ai_intel_summary')
  const [open, setOpen] = useState<{ readonly what: 'summary' | 'report'; readonly ids: readonly string[] } | null>(
    null,
  )
  if (!isAvailable) return null
  const isTooMany = count > MAX_ENTITIES
  const isOff = isTooMany || count === 0
  const start = (what: 'summary' | 'report') => {
    readIds().then((ids) => setOpen({ what, ids }), showErrorToast)
  }
  return (
    <>
      {(['summary', 'report'] as const).map((what) => (
        <Tooltip key={what} label={`Select at most ${MAX_ENTITIES} entities`} disabled={!isTooMany}>
          <Button
            size={size}
            variant="default"
            {...(isOff && { 'data-disabled': true, 'aria-disabled': true })}
            onClick={() => !isOff && start(what)}
          >
            {what === 'summary' ? 'Summarise' : 'Write report'}
          </Button>
        </Tooltip>
      ))}
      {open?.what === 'summary' && <JointSummary ids={open.ids} note={note} onClose={() => setOpen(null)} />}
      {open?.what === 'report' && <ReportBuilder ids={open.ids} note={note} onClose={() => setOpen(null)} />}
    </>
  )
}
