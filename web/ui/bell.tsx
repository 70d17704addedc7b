import { ActionIcon, Anchor, Divider, Group, Indicator, Popover, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { type FeedHealth, healthQuery } from '../api/feeds.ts'
import { idOf } from '../api/lists.ts'
import { choicesQuery, type NotificationSettings } from '../api/self.ts'
import { useMay } from '../api/session.ts'
import { ErrorFaults } from './faults.tsx'
import { Icon } from './icon.tsx'

const CHOICES: readonly { readonly name: keyof NotificationSettings; readonly label: string }[] = [
  { name: 'ticket_assigned', label: 'A ticket is assigned to me' },
  { name: 'comment_added', label: 'Someone comments on an item I follow' },
  { name: 'task_run_failed', label: 'A task run I started fails' },
  { name: 'feed_stale', label: 'A feed becomes stale' },
]

/** Feeds that need attention, and the mail notification settings. */
export function Bell() {
  const [isOpen, setIsOpen] = useState(false)
  const unhealthyFeeds = useUnhealthyFeeds()
  const label =
    unhealthyFeeds.length > 0 ? `Notifications: ${unhealthyFeeds.length} feeds need attention` : 'Notifications'
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={320} shadow="md" trapFocus>
      <Indicator disabled={unhealthyFeeds.length === 0} color="red" offset={6} size={8}>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={() => setIsOpen(!isOpen)}>
            <Icon name="bell" size={18} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Notifications">
        {isOpen && <FeedNotifications unhealthyFeeds={unhealthyFeeds} onNavigate={() => setIsOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}

/** How often the health of feeds is refreshed. */
const REFRESH_MS = 120_000

function useUnhealthyFeeds(): readonly FeedHealth[] {
  const may = useMay()
  const { data } = useQuery({
    ...healthQuery(),
    enabled: may('read incoming-feeds') || may('read outgoing-feeds'),
    refetchInterval: REFRESH_MS,
  })
  return (data ?? []).filter(({ state }) => state === 'FAILING' || state === 'STALE')
}

function FeedNotifications({
  unhealthyFeeds,
  onNavigate,
}: {
  readonly unhealthyFeeds: readonly FeedHealth[]
  readonly onNavigate: () => void
}) {
  return (
    <Stack gap="sm">
      {unhealthyFeeds.length === 0 && <Text size="sm">All feeds are working.</Text>}
      {unhealthyFeeds.slice(0, 5).map(({ type, feed, name, state }) => (
        <Group key={feed} justify="space-between" wrap="nowrap">
          <Anchor size="sm" truncate component={Link} to={`/${type}-feeds/${idOf(feed)}`} onClick={onNavigate}>
            {name}
          </Anchor>
          <Text size="xs" c="red">
            {state === 'FAILING' ? 'Failing' : 'Stale'}
          </Text>
        </Group>
      ))}
      <Divider />
      <MailNotifications />
    </Stack>
  )
}

/** Which events the user is notified about by mail. */
export function MailNotifications() {
  const queries = useQueryClient()
  const choices = useQuery(choicesQuery)
  const chosen = useMutation({
    mutationFn: (change: Partial<NotificationSettings>) => call('PATCH', 'users/self/notifications', { data: change }),
    onSettled: () => queries.invalidateQueries({ queryKey: choicesQuery.queryKey }),
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
