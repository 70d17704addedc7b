import { Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { type NotificationSettings, notificationSettingsQuery } from './account.ts'

const CHOICES: readonly { readonly name: keyof NotificationSettings; readonly label: string }[] = [
  { name: 'ticket_assigned', label: 'A ticket is assigned to me' },
  { name: 'comment_added', label: 'Someone comments on an item I follow' },
  { name: 'task_run_failed', label: 'A task run I started fails' },
  { name: 'feed_stale', label: 'A feed becomes stale' },
  { name: 'enricher_suspended', label: 'An enricher is suspended' },
  { name: 'detonator_suspended', label: 'A detonator is suspended' },
  { name: 'detonation_ended', label: 'A detonation that you asked for has ended' },
  { name: 'entity_discovered', label: 'A discovery rule finds new entities' },
  { name: 'playbook_failed', label: 'A run of my playbook fails' },
  { name: 'playbook_paused', label: 'My playbook is paused' },
  { name: 'playbook_notified', label: 'A playbook notifies me' },
]

/** Which events the user is notified about by mail. */
export function MailNotifications() {
  const queries = useQueryClient()
  const choices = useQuery(notificationSettingsQuery)
  const chosen = useMutation({
    mutationFn: (change: Partial<NotificationSettings>) => call('PATCH', 'users/self/notifications', { data: change }),
    onSettled: () => queries.invalidateQueries({ queryKey: notificationSettingsQuery.queryKey }),
  })
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Email me when
      </Text>
      <ErrorFaults error={choices.error ?? chosen.error} />
      {CHOICES.map(({ name, label }) => (
        <Switch
          key={name}
          size="xs"
          label={label}
          disabled={!choices.data}
          checked={
            chosen.isPending
              ? (chosen.variables[name] ?? choices.data?.[name] ?? false)
              : (choices.data?.[name] ?? false)
          }
          onChange={({ currentTarget: { checked } }) => chosen.mutate({ [name]: checked })}
        />
      ))}
    </Stack>
  )
}
