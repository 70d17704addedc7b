import { ActionIcon, Anchor, Divider, Group, Indicator, Popover, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { idOf } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { LatestHits, useMaySeeHits } from '../automation/discovery/hits.tsx'
import { type FeedHealth, healthQuery } from '../feeds/feed-queries.ts'
import { MailNotifications } from '../identity/profile/mail-notifications.tsx'
import { Icon } from '../ui/icon.tsx'

/** Feeds that need attention, the latest hits of discovery rules, and the mail notification settings. */
export function Bell() {
  const [isOpen, setIsOpen] = useState(false)
  const unhealthyFeeds = useUnhealthyFeeds()
  const label =
    unhealthyFeeds.length > 0
      ? `Notifications: ${unhealthyFeeds.length} ${unhealthyFeeds.length === 1 ? 'feed needs' : 'feeds need'} attention`
      : 'Notifications'
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

const MAX_HITS = 3

function FeedNotifications({
  unhealthyFeeds,
  onNavigate,
}: {
  readonly unhealthyFeeds: readonly FeedHealth[]
  readonly onNavigate: () => void
}) {
  const maySeeHits = useMaySeeHits()
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
      {maySeeHits && (
        <>
          <Divider />
          <Text size="sm" fw={600}>
            Discovered entities
          </Text>
          <LatestHits most={MAX_HITS} empty="Discovery rules have found nothing new." onNavigate={onNavigate} />
        </>
      )}
      <Divider />
      <MailNotifications />
    </Stack>
  )
}
