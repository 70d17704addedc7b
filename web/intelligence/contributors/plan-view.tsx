import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorFaults } from '../../ui/faults.tsx'
import {
  type ConsolidationAction,
  type ConsolidationTarget,
  groupsInWords,
  planQuery,
  refusedInWords,
} from './consolidation.ts'

interface PlanViewProps {
  readonly action: ConsolidationAction
  readonly target: ConsolidationTarget
}

/** What an action would do, and which entities it would leave alone. */
export function PlanView({ action, target }: PlanViewProps) {
  const { data: plan, error } = useQuery(planQuery(action, target))
  if (error) return <ErrorFaults error={error} />
  if (!plan) return <Skeleton h={48} role="status" aria-label="Counting" />
  const refused = refusedInWords(plan)
  return (
    <Stack gap="xs">
      {plan.groups.length === 0 && (
        <Text size="sm">
          {action === 'consolidate'
            ? 'There is nothing to consolidate.'
            : 'None of them contributes to a unified entity.'}
        </Text>
      )}
      {plan.groups.length > 0 && (
        <List size="sm" aria-label="Entities">
          {groupsInWords(action, plan).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      )}
      {refused.length > 0 && (
        <section aria-label="Not included">
          <Text size="sm" fw={500}>
            Not included
          </Text>
          <List size="sm">
            {refused.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        </section>
      )}
    </Stack>
  )
}
