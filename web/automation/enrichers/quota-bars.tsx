import { Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import type { Enricher } from '../../api/resources.ts'
import { utcTime } from '../../ui/moment.tsx'
import { type Quota, quotaColour, usedPercent, windowName } from './quota.ts'

/** What is left of each limit of an enricher, as small bars. */
export function QuotaBars({ quota }: { readonly quota: Enricher['quota'] }) {
  if (quota.length === 0)
    return (
      <Text size="xs" c="dimmed">
        No limits
      </Text>
    )
  return (
    <Stack gap={4} miw={150}>
      {quota.map((limit) => (
        <QuotaBar key={limit.seconds ?? 'month'} limit={limit} />
      ))}
    </Stack>
  )
}

function QuotaBar({ limit }: { readonly limit: Quota }) {
  const { seconds, calls, used, left, resets_at } = limit
  const name = windowName(seconds)
  const shown = left.toLocaleString('en')
  const total = calls.toLocaleString('en')
  const reset = resets_at === null ? '' : ` Everything is available again at ${utcTime(resets_at)} UTC.`
  return (
    <Tooltip label={`${used.toLocaleString('en')} of ${total} calls used.${reset}`} multiline maw={320}>
      <div>
        <Group gap={6} justify="space-between" wrap="nowrap">
          <Text size="xs" component="span" style={{ whiteSpace: 'nowrap' }}>
            {shown} left
          </Text>
          <Text size="xs" c="dimmed" component="span" style={{ whiteSpace: 'nowrap' }}>
            of {total} {name}
          </Text>
        </Group>
        <Progress
          size={4}
          value={usedPercent(limit)}
          color={quotaColour(limit)}
          aria-label={`${shown} of ${total} calls left ${name}`}
        />
      </div>
    </Tooltip>
  )
}
