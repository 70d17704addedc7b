import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { useTaskTimes } from '../task-times.ts'
import type { KindList } from './overview.tsx'
import { spanOf } from './span.ts'

interface Automated {
  readonly is_active: boolean
  readonly task: string | null
  /** When it last ran, if its runs are not those of its task. */
  readonly last_run_at?: string | null
}

interface KindCardProps {
  readonly title: string
  readonly page: string
  /** The button that creates the first one; absent without the permission. */
  readonly create: { readonly label: string; readonly to: string; readonly isNew?: boolean } | undefined
  /** What it is for, shown if there are none yet. */
  readonly purpose: string
  readonly list: KindList<Automated>
  /** The number that need attention. */
  readonly attention: number
}

/** One kind of automation in numbers. */
export function KindCard({ title, page, create, purpose, list, attention }: KindCardProps) {
  const { data, error, total } = list
  return (
    <Card title={title} actions={<PageLink to={page}>Open</PageLink>}>
      {error ? (
        <LoadFault query={list} />
      ) : data === undefined ? (
        <Skeleton h={84} role="status" aria-label={`Loading ${title.toLowerCase()}`} />
      ) : data.length === 0 ? (
        <Stack gap="xs" align="flex-start">
          <Text size="sm" c="dimmed">
            {purpose}
          </Text>
          {create && (
            <Button size="compact-sm" variant="light" component={Link} {...addressOf(create)}>
              {create.label}
            </Button>
          )}
        </Stack>
      ) : (
        <Numbers data={data} total={total} attention={attention} />
      )}
    </Card>
  )
}

// Query parameters are not part of the route types.
const addressOf = ({ to, isNew }: NonNullable<KindCardProps['create']>) =>
  ({ to, ...(isNew && { search: { new: true } }) }) as { to: string }

function Numbers({ data, total, attention }: Pick<KindCardProps, 'attention'> & NumbersProps) {
  const { last, next } = spanOf(useTaskTimes(data.map(({ task }) => task)))
  const [ownLast = last] = data.flatMap(({ last_run_at }) => last_run_at ?? []).toSorted((a, b) => b.localeCompare(a))
  const active = data.filter(({ is_active }) => is_active).length
  return (
    <Stack gap="sm">
      <Group gap={6} align="baseline">
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
      <Facts
        columns={2}
        facts={[
          ['Last run', <Moment key="last" at={ownLast} otherwise="Never" />],
          ['Next run', <Moment key="next" at={next} otherwise="Not scheduled" />],
        ]}
      />
    </Stack>
  )
}

interface NumbersProps {
  readonly data: readonly Automated[]
  readonly total: number
}
