import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { StateBadge } from '../state-badge.tsx'
import type { Detonator } from './detonator-queries.ts'
import { canResume, stateInWords } from './detonator-words.ts'

/** The state of a detonator as text and colour. */
export function DetonatorState({ detonator }: { readonly detonator: Detonator }) {
  const { label, color } = stateInWords(detonator)
  return <StateBadge state={{ label, color, reason: null }} />
}

/** Why a detonator is in its state, and what to do. */
export function StateReason({ detonator, lines }: { readonly detonator: Detonator; readonly lines?: number }) {
  const { reason, remedy } = stateInWords(detonator)
  const text = [reason, remedy].filter(Boolean).join(' ')
  if (text === '') return null
  return (
    <Text size="xs" c="dimmed" {...(lines && { lineClamp: lines })} style={{ overflowWrap: 'anywhere' }}>
      {defangText(text)}
    </Text>
  )
}

/** Ends the suspension, wait or open circuit of a detonator. */
export function ResumeDetonator({ detonator }: { readonly detonator: Detonator }) {
  const may = useMay()
  const { id, task_name } = detonator
  const resumed = useMutation({
    mutationFn: () => call('POST', `detonators/${id}/resume`),
    onSuccess: async () => {
      showToast(`“${task_name}” resumed`)
      await invalidate('detonators', 'detonations')
    },
    onError: showErrorToast,
  })
  if (!canResume(detonator) || !may('modify detonators')) return null
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Resume ${task_name}`}
      loading={resumed.isPending}
      onClick={() => resumed.mutate()}
    >
      Resume
    </Button>
  )
}
