import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorFaults } from '../../ui/faults.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { invalidateEntities } from '../entity/entity-queries.ts'
import {
  type ConsolidationAction,
  type ConsolidationTarget,
  doneInWords,
  planQuery,
  runConsolidation,
} from './consolidation.ts'
import { PlanView } from './plan-view.tsx'

interface ConsolidationDialogProps {
  readonly action: ConsolidationAction
  readonly target: ConsolidationTarget
  readonly title: string
  /** What happens, and what can be done about it later. */
  readonly children: ReactNode
  readonly confirm: string
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Joins entities or takes them apart, after showing what would happen. */
export function ConsolidationDialog(props: ConsolidationDialogProps) {
  const { action, target, title, children, confirm, onClose, onDone } = props
  const { data: plan } = useQuery(planQuery(action, target))
  const done = useMutation({
    mutationFn: () => runConsolidation(action, target),
    onSuccess: async () => {
      if (plan) showToast(doneInWords(action, plan))
      onClose()
      onDone?.()
      await invalidateEntities()
    },
  })
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        <PlanView action={action} target={target} />
        {children}
        <ErrorFaults error={done.error} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button
            {...(action === 'deconsolidate' && { color: 'red' })}
            disabled={!plan || plan.groups.length === 0}
            loading={done.isPending}
            onClick={() => done.mutate()}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
