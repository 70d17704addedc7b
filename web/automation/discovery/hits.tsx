import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { idOf } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'

/** Entities that a discovery rule found at the same time. */
export interface Hit {
  readonly rule: string
  readonly name: string
  readonly found_at: string
  readonly count: number
  /** The latest of them. */
  readonly entities: readonly { readonly entity: string; readonly title: string }[]
}

const REFRESH_MS = 30_000

/** The latest notifications of the user about discovered entities. */
export const hitsQuery = queryOptions({
  queryKey: ['discovery-rules/hits'],
  queryFn: async ({ signal }) => (await call<{ data: Hit[] }>('GET', 'discovery-rules/hits', undefined, signal)).data,
  refetchInterval: REFRESH_MS,
})

/** Whether the user may see what discovery rules find. */
export function useMaySeeHits(): boolean {
  const may = useMay()
  return may('read discovery-rules') && may('read entities')
}

interface LatestHitsProps {
  readonly most: number
  /** Shown if there are none. */
  readonly empty: string
  readonly onNavigate?: () => void
}

/** The latest entities that discovery rules found. */
export function LatestHits({ most, empty, onNavigate }: LatestHitsProps) {
  const hits = useQuery({ ...hitsQuery, enabled: useMaySeeHits() })
  if (hits.error) return <LoadFault query={hits} />
  if (!hits.data) return <Skeleton h={60} role="status" aria-label="Loading hits" />
  if (hits.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    )
  return (
    <Stack gap="xs">
      {hits.data.slice(0, most).map((hit) => (
        <OneHit key={`${hit.rule} ${hit.found_at}`} hit={hit} onNavigate={onNavigate} />
      ))}
    </Stack>
  )
}

function OneHit({ hit, onNavigate }: { readonly hit: Hit; readonly onNavigate: (() => void) | undefined }) {
  const rest = hit.count - hit.entities.length
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor
          size="sm"
          fw={600}
          truncate
          component={Link}
          to={`/discovery-rules/${idOf(hit.rule)}`}
          onClick={onNavigate}
        >
          {defangText(hit.name)}
        </Anchor>
        <Text size="xs" c="dimmed" flex="none">
          <Moment at={hit.found_at} />
        </Text>
      </Group>
      {hit.entities.map(({ entity, title }) => (
        <Anchor
          key={entity}
          size="sm"
          display="block"
          pl="sm"
          truncate
          component={Link}
          to={`/entities/${idOf(entity)}`}
          onClick={onNavigate}
        >
          {defangText(title)}
        </Anchor>
      ))}
      {rest > 0 && (
        <Text size="xs" c="dimmed" pl="sm">
          and {rest.toLocaleString('en')} more
        </Text>
      )}
    </div>
  )
}
