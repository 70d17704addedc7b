import { Badge, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { idOf, listQuery, oneQuery } from '../api/lists.ts'
import type { Entity, Observable } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { defangText } from '../domain/defang-text.ts'
import { entityTitle } from '../domain/entity-title.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { contributionsQuery } from '../intelligence/contributors/contributions.ts'
import { isUnified } from '../intelligence/entity/entity-queries.ts'
import { GeneratedBadge } from '../intelligence/entity/generated-badge.tsx'
import { EntityIcon } from '../intelligence/entity-icon.tsx'
import { MaliciousnessBadge, ReliabilityBadge, TlpBadge, UnifiedBadge, WithdrawnBadge } from '../ui/badges.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Indicator } from '../ui/indicator.tsx'
import { Moment } from '../ui/moment.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { RichText } from '../ui/rich-text.tsx'
import type { Searched } from './filters.ts'

interface QuickLookProps {
  readonly searched: Searched
  /** The id of the row; empty if the panel is closed. */
  readonly id: string
  readonly onClose: () => void
}

/** A preview of a row next to the table, with a link to its page. */
export function QuickLook({ searched, id, onClose }: QuickLookProps) {
  return (
    <Drawer
      opened={id !== ''}
      onClose={onClose}
      position="right"
      size="md"
      title="Preview"
      overlayProps={{ backgroundOpacity: 0.15 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {id !== '' && (searched === 'entities' ? <EntityLook id={id} /> : <ObservableLook id={id} />)}
    </Drawer>
  )
}

/** At most this many related objects are shown. */
const MAX_RELATED = 8

function EntityLook({ id }: { readonly id: string }) {
  const may = useMay()
  const entity = useQuery(oneQuery<Entity>(`entities/${id}`))
  const observables = useQuery({
    ...listQuery<Observable>('observables', {
      'filter[entities]': id,
      limit: MAX_RELATED,
      attributes: 'id,type,value,meta',
    }),
    enabled: may('read extracts'),
  })
  if (entity.error) return <ErrorFaults error={entity.error} />
  if (!entity.data) return <Waiting />
  const { data, meta, last_updated_at } = entity.data
  const description = data.short_description || data.description
  return (
    <Stack>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <EntityIcon type={data.type} size={22} isDecoration />
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {entityTitle({ data, meta })}
        </Text>
      </Group>
      <Group gap={6}>
        <Badge variant="default" radius="xs">
          {entityTypeName(data.type)}
        </Badge>
        <TlpBadge tlp={meta.tlp_color} />
        {meta.is_withdrawn === true && <WithdrawnBadge />}
        <GeneratedBadge meta={meta} />
        {isUnified(entity.data) && <UnifiedBadge />}
        <ReliabilityBadge reliability={meta.source_reliability} />
      </Group>
      {meta.tags && meta.tags.length > 0 && (
        <Group gap={4}>
          {meta.tags.map((tag) => (
            <Badge key={tag} variant="light" color="gray" tt="none">
              {defangText(tag)}
            </Badge>
          ))}
        </Group>
      )}
      <Text size="sm" c="dimmed">
        Last updated <Moment at={last_updated_at} />
      </Text>
      {(isUnified(entity.data) || typeof meta.is_contributor_to === 'string') && <Contributors id={id} />}
      {description && <RichText text={description} format={data.description_structuring_format} />}
      {observables.data && observables.data.total_count > 0 && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            Observables ({observables.data.total_count.toLocaleString('en')})
          </Text>
          {observables.data.data.map(({ id: own, type, value }) => (
            <Text key={own} size="sm" component="div">
              <Indicator type={type} value={value} />
            </Text>
          ))}
        </Stack>
      )}
      <Button component={Link} to={`/entities/${id}`}>
        Open entity
      </Button>
    </Stack>
  )
}

/** The contributors of a unified entity; the same from the view of one of them. */
function Contributors({ id }: { readonly id: string }) {
  const { data } = useQuery(contributionsQuery(id))
  if (!data?.unified) return null
  const unified = idOf(data.unified)
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Contributors ({data.contributors.length.toLocaleString('en')})
      </Text>
      {data.contributors.slice(0, MAX_RELATED).map(({ entity, title, source_name }) => (
        <Group key={entity} gap={6} wrap="nowrap">
          <PageLink to={`/entities/${idOf(entity)}`}>{defangText(title)}</PageLink>
          <Text size="xs" c="dimmed" truncate="end">
            {source_name}
          </Text>
        </Group>
      ))}
      {unified !== id && (
        <Text size="sm" c="dimmed">
          They contribute to <PageLink to={`/entities/${unified}`}>this unified entity</PageLink>.
        </Text>
      )}
    </Stack>
  )
}

function ObservableLook({ id }: { readonly id: string }) {
  const observable = useQuery(oneQuery<Observable>(`observables/${id}`))
  const entities = useQuery(
    listQuery<Entity>('entities', {
      'filter[observables]': id,
      limit: MAX_RELATED,
      attributes: 'id,data.type,data.title,meta.alias,meta.is_unified_entity',
    }),
  )
  if (observable.error) return <ErrorFaults error={observable.error} />
  if (!observable.data) return <Waiting />
  const { type, value, meta, created_at, last_updated_at } = observable.data
  return (
    <Stack>
      <Text fw={600} component="div">
        <Indicator type={type} value={value} />
      </Text>
      <Group gap={6}>
        <Badge variant="default" radius="xs">
          {type}
        </Badge>
        <MaliciousnessBadge maliciousness={meta.maliciousness} />
      </Group>
      <Text size="sm" c="dimmed">
        Added <Moment at={created_at} />, last updated <Moment at={last_updated_at} />
      </Text>
      {entities.data && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            Entities ({entities.data.total_count.toLocaleString('en')})
          </Text>
          {entities.data.data.map((entity) => (
            <Group key={entity.id} gap={6} wrap="nowrap">
              <EntityIcon type={entity.data.type} />
              <PageLink to={`/entities/${entity.id}`}>{entityTitle(entity)}</PageLink>
              {isUnified(entity) && <UnifiedBadge />}
            </Group>
          ))}
        </Stack>
      )}
      <Button component={Link} to={`/observables/${id}`}>
        Open observable
      </Button>
    </Stack>
  )
}

const Waiting = () => (
  <Stack>
    <Skeleton h={26} />
    <Skeleton h={18} w="50%" />
    <Skeleton h={120} />
  </Stack>
)
