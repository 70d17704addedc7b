import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { ConsolidationDialog } from './consolidation-dialog.tsx'

interface TakeApartProps {
  /** The unified entity, and one of its contributors, which is shown if the unified entity is gone. */
  readonly unified: { readonly id: string; readonly title: string }
  readonly next: string | undefined
  readonly onClose: () => void
}

/** Takes a unified entity apart, so that only its contributors remain. */
export function TakeApart({ unified, next, onClose }: TakeApartProps) {
  const leave = useLeaveIfGone(unified.id, next)
  return (
    <ConsolidationDialog
      action="deconsolidate"
      target={{ entities: [unified.id] }}
      title={`Take “${unified.title}” apart?`}
      confirm="Take apart"
      onClose={onClose}
      onDone={leave}
    >
      <Text size="sm">
        The unified entity is deleted. Its contributors stay as they are, with their relationships and observables. They
        are exempt from automatic consolidation from then on; to join them again, select them in the search and choose
        “Consolidate”.
      </Text>
    </ConsolidationDialog>
  )
}

interface RemoveContributorProps {
  readonly unified: { readonly id: string; readonly title: string }
  readonly contributor: { readonly id: string; readonly title: string }
  /** The number of contributors that there are now. */
  readonly count: number
  /** Another contributor, which is shown if the unified entity is gone. */
  readonly next: string | undefined
  readonly onClose: () => void
}

/** Removes a contributor from its unified entity. */
export function RemoveContributor({ unified, contributor, count, next, onClose }: RemoveContributorProps) {
  const leave = useLeaveIfGone(unified.id, next)
  return (
    <ConsolidationDialog
      action="deconsolidate"
      target={{ entities: [contributor.id] }}
      title={`Remove “${contributor.title}” from the unified entity?`}
      confirm="Remove from unified entity"
      onClose={onClose}
      onDone={leave}
    >
      <Text size="sm">
        {count <= 2
          ? `A unified entity needs two contributors, so “${unified.title}” is deleted. Its contributors stay as they are.`
          : `“${unified.title}” is composed from the others. “${contributor.title}” stays as it is.`}
      </Text>
      <Text size="sm">
        The entity is exempt from automatic consolidation from then on, so that it is not joined again. To join it
        again, select it with others in the search and choose “Consolidate”.
      </Text>
    </ConsolidationDialog>
  )
}

/** Shows another entity if the page of this one no longer exists. */
function useLeaveIfGone(id: string, next: string | undefined): () => void {
  const navigate = useNavigate()
  return () => {
    if (!window.location.pathname.endsWith(`/entities/${id}`)) return
    call('GET', `entities/${id}?attributes=id`).catch(() => {
      void navigate(next === undefined ? { to: '/' } : { to: '/entities/$id', params: { id: next } })
    })
  }
}
