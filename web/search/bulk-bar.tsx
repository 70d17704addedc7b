import { Button, Group, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../api/session.ts'
import type { Consolidation } from '../domain/consolidations.ts'
import { BulkChanges } from './bulk-changes.tsx'
import type { ChosenActions } from './chosen.ts'
import { ConsolidationButtons } from './consolidation-buttons.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import classes from './search.module.css'
import { countSelected, EVERYTHING, NOTHING, type Selection } from './selection.ts'
import { useBulk } from './use-bulk.ts'

interface BulkBarProps {
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  /** The query that matches all results, and their number; undefined until known. */
  readonly whole: string
  /** What is shown of unified entities. */
  readonly view: Consolidation
  readonly total: number | undefined
  readonly actions: ChosenActions | undefined
}

/** Actions on the selected results. */
export function BulkBar({ selection, onSelect, whole, view, total, actions }: BulkBarProps) {
  const may = useMay()
  const [open, setOpen] = useState<'delete' | 'export' | null>(null)
  const count = countSelected(selection, total ?? 0)
  const selected = { selection, whole, view, count }
  const bulk = useBulk(selected, () => onSelect(NOTHING))
  // Bulk changes are task runs, so their progress requires the permission to read tasks.
  const mayChange = may('modify entities') && may('read tasks')
  return (
    <section className={classes.bulk} aria-label="Selected rows">
      <Text size="sm" fw={600} role="status">
        {count.toLocaleString('en')} selected
      </Text>
      {!selection.isAll && total !== undefined && total > count && (
        <Button size="compact-sm" variant="subtle" onClick={() => onSelect(EVERYTHING)}>
          Select all {total.toLocaleString('en')} matching
        </Button>
      )}
      <Group gap={6} ml="auto">
        <BulkChanges mayTag={mayChange} bulk={bulk} />
        <ConsolidationButtons selected={selected} mayChange={mayChange} isBusy={bulk.isBusy} />
        {actions?.({ searched: 'entities', selection, whole, count })}
        <Button size="compact-sm" variant="default" disabled={bulk.isBusy} onClick={() => setOpen('export')}>
          Export
        </Button>
        {mayChange && (
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            disabled={bulk.isBusy}
            onClick={() => setOpen('delete')}
          >
            Delete
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onSelect(NOTHING)}>
          Clear selection
        </Button>
      </Group>
      {bulk.isBusy && (
        <Progress w="100%" size="sm" value={Math.max(4, bulk.progress * 100)} animated aria-label="Progress" />
      )}
      <DeleteDialog
        isOpen={open === 'delete'}
        selection={selection}
        whole={whole}
        view={view}
        bulk={bulk}
        onClose={() => setOpen(null)}
      />
      <ExportDialog
        isOpen={open === 'export'}
        selection={selection}
        whole={whole}
        count={count}
        onClose={() => setOpen(null)}
      />
    </section>
  )
}
