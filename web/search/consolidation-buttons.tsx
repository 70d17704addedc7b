import { Button, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { compareAddress, MAX_COMPARED } from '../intelligence/contributors/comparison.ts'
import type { ConsolidationAction, ConsolidationTarget } from '../intelligence/contributors/consolidation.ts'
import { ConsolidationDialog } from '../intelligence/contributors/consolidation-dialog.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { selectedQueries } from './selection.ts'
import type { Selected } from './use-bulk.ts'

interface ConsolidationButtonsProps {
  readonly selected: Selected
  readonly mayChange: boolean
  readonly isBusy: boolean
}

/** Compares the selected entities, joins them, or takes them out of their unified entities. */
export function ConsolidationButtons({ selected, mayChange, isBusy }: ConsolidationButtonsProps) {
  const { selection, count } = selected
  const [action, setAction] = useState<ConsolidationAction | null>(null)
  const target = targetOf(selected)
  const canCompare = !selection.isAll && count >= 2 && count <= MAX_COMPARED
  return (
    <>
      {canCompare && (
        <PageLink {...compareAddress([...selection.ids])} underline="never">
          <Button size="compact-sm" variant="default" component="span" tabIndex={-1}>
            Compare
          </Button>
        </PageLink>
      )}
      {mayChange && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="compact-sm" variant="default" disabled={isBusy}>
              Consolidation
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={count < 2} onClick={() => setAction('consolidate')}>
              Consolidate…
            </Menu.Item>
            <Menu.Item onClick={() => setAction('deconsolidate')}>Deconsolidate…</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {action === 'consolidate' && (
        <ConsolidationDialog
          action={action}
          target={target}
          title="Consolidate selected entities"
          confirm="Consolidate"
          onClose={() => setAction(null)}
        >
          <Text size="sm">
            All selected entities of one type become contributors of one unified entity. They are not changed
            themselves, and can be taken out again.
          </Text>
        </ConsolidationDialog>
      )}
      {action === 'deconsolidate' && (
        <ConsolidationDialog
          action={action}
          target={target}
          title="Deconsolidate selected entities?"
          confirm="Deconsolidate"
          onClose={() => setAction(null)}
        >
          <Text size="sm">
            These entities leave their unified entities, and a unified entity with fewer than two contributors is
            deleted. They stay as they are, and are exempt from automatic consolidation until they are consolidated by
            hand.
          </Text>
        </ConsolidationDialog>
      )}
    </>
  )
}

/** Hidden contributors count as selected with their unified entity, but hidden unified entities do not. */
function targetOf({ selection, whole, view }: Selected): ConsolidationTarget {
  if (!selection.isAll) return { entities: [...selection.ids] }
  const [query = '*:*'] = selectedQueries(selection, whole)
  return { entities_query: view === 'contributors' ? `+(${query}) -meta.is_unified_entity:true` : query }
}
