import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/session.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { Detonator } from '../detonators/detonator-queries.ts'
import type { KindList } from './overview.tsx'

interface DetonatorCardProps {
  readonly list: KindList<Detonator>
  /** The number that need attention. */
  readonly attention: number
}

/** Detonators in numbers: how many are active, and how many samples they submitted today. */
export function DetonatorCard({ list, attention }: DetonatorCardProps) {
  const may = useMay()
  const { data, error, total } = list
  const active = data?.filter(({ is_active }) => is_active).length ?? 0
  const today = data?.reduce((sum, { today_detonation_count: count }) => sum + count, 0) ?? 0
  return (
    <Card title="Detonators" actions={<PageLink to="/detonators">Open</PageLink>}>
      {error ? (
        <LoadFault query={list} />
      ) : data === undefined ? (
        <Skeleton h={84} role="status" aria-label="Loading detonators" />
      ) : (
        <Stack gap="xs" align="flex-start">
          <Group gap={6} align="baseline" w="100%">
            <Text fz={28} fw={600} lh={1}>
              {active.toLocaleString('en')}
            </Text>
            <Text size="sm" c="dimmed">
              active of {total.toLocaleString('en')}
            </Text>
            {attention > 0 && (
              <Text size="sm" c="var(--mantine-color-red-text)" fw={600} ml="auto">
                {attention} {attention === 1 ? 'needs' : 'need'} attention
              </Text>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {active === 0
              ? 'Run suspicious files and URLs in a sandbox.'
              : `${today.toLocaleString('en')} ${today === 1 ? 'sample' : 'samples'} submitted today.`}
          </Text>
          {may('read detonations') && (
            <Button
              size="compact-sm"
              variant="light"
              renderRoot={(props) => <Link {...props} to={active === 0 ? '/detonators' : '/detonations'} />}
            >
              {active === 0 ? 'Set up a detonator' : 'Show detonations'}
            </Button>
          )}
        </Stack>
      )}
    </Card>
  )
}
