import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { defangText } from '../domain/defang-text.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'
import { deleteRules, renewRules, setActive } from './rule-actions.ts'
import { nounOf, type Rule, type RuleKind } from './rule-kind.ts'

interface RuleBulkProps {
  readonly kind: RuleKind
  readonly rules: readonly Rule[]
  readonly onDone: () => void
}

/** Actions on the selected rules. */
export function RuleBulk({ kind, rules, onDone }: RuleBulkProps) {
  const ids = rules.map(({ id }) => id)
  const what = rules.length === 1 ? `“${defangText(rules[0]?.name ?? '')}”` : `${rules.length} ${nounOf(kind, 2)}`
  const switched = useMutation({
    mutationFn: (isActive: boolean) => setActive(kind, ids, isActive),
    onSuccess: (_, isActive) => {
      showToast(`${isActive ? 'Activated' : 'Deactivated'} ${what}`)
      onDone()
    },
    onError: showErrorToast,
  })
  return (
    <Group gap={6} role="group" aria-label={`Selected ${nounOf(kind, 2)}`}>
      <Text size="sm" fw={600} role="status">
        {rules.length} selected
      </Text>
      <Button size="compact-sm" variant="default" disabled={switched.isPending} onClick={() => switched.mutate(true)}>
        Activate
      </Button>
      <Button size="compact-sm" variant="default" disabled={switched.isPending} onClick={() => switched.mutate(false)}>
        Deactivate
      </Button>
      {!kind.isDeletedOnPage && (
        <ConfirmButton
          label="Delete"
          title={`Delete ${what}?`}
          confirm={`Delete ${nounOf(kind, rules.length)}`}
          button={{ size: 'compact-sm' }}
          onConfirm={async () => {
            await deleteRules(kind, ids)
            await renewRules(kind)
            showToast(`Deleted ${what}`)
            onDone()
          }}
        >
          {kind.afterDelete} This cannot be undone.
        </ConfirmButton>
      )}
    </Group>
  )
}
