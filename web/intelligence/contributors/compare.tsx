import { Group, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { idOf } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { entityQuery, isUnified, typeOf } from '../entity/entity-queries.ts'
import { EntityIcon } from '../entity-icon.tsx'
import { ColumnPicker } from './column-picker.tsx'
import { CompareTable } from './compare-table.tsx'
import { comparedIds, MAX_COMPARED } from './comparison.ts'
import { type Contributor, contributionsQuery } from './contributions.ts'

/** Compares entities side by side: a unified entity with its contributors, or any entities. */
export function Compare() {
  const may = useMay()
  const { id = '' } = useParams({ strict: false })
  const entity = useQuery(entityQuery(id))
  const isOne = entity.data !== undefined && isUnified(entity.data)
  const contributions = useQuery({ ...contributionsQuery(id), enabled: isOne })
  if (!may('read entities')) return <NoPermission permission="read entities" />
  const error = entity.error ?? contributions.error
  if (error) return <ErrorFaults error={error} />
  if (!entity.data || (isOne && !contributions.data))
    return <Skeleton height={320} role="status" aria-label="Loading" />
  return <Comparing key={id} entity={entity.data} contributors={contributions.data?.contributors ?? []} />
}

interface ComparingProps {
  readonly entity: Entity
  readonly contributors: readonly Contributor[]
}

function Comparing({ entity, contributors }: ComparingProps) {
  const navigate = useNavigate()
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const [isShort, setIsShort] = useState(false)
  const given = comparedIds(search.with, entity.id)
  const { others, own } = columnsOf(entity, contributors, given)
  const columns = useQueries({ queries: others.map((id) => entityQuery(id)) })
  const shown = [entity, ...columns.flatMap(({ data }) => data ?? [])]
  const choose = (ids: readonly string[]) =>
    void navigate({ to: '.', search: { with: ids.join() }, replace: true } as never)
  return (
    <Stack>
      <PageHead
        title={`Compare “${entityTitle(entity)}”`}
        before={<EntityIcon type={typeOf(entity)} size={26} isDecoration />}
        description={
          own
            ? 'The unified entity comes first. Differences from it are highlighted.'
            : 'Differences from the first entity are highlighted.'
        }
      />
      <Group justify="space-between" align="flex-end">
        <ColumnPicker own={own} chosen={others} shown={shown} base={entity.id} onChange={choose} />
        <Switch
          label="Hide equal fields"
          checked={isShort}
          onChange={({ currentTarget }) => setIsShort(currentTarget.checked)}
        />
      </Group>
      <ErrorFaults error={columns.find(({ error }) => error)?.error} />
      {others.length === 0 ? (
        <EmptyState title="Nothing to compare with">Choose up to {MAX_COMPARED} entities.</EmptyState>
      ) : (
        <CompareTable entities={shown} isShort={isShort} />
      )}
      {columns.some(({ isPending }) => isPending) && (
        <Text size="sm" c="dimmed" role="status">
          Loading…
        </Text>
      )}
    </Stack>
  )
}

/** So many contributors are compared with their unified entity unless others are chosen. */
const DEFAULT_COLUMNS = 3

/** The ids of the columns after the first and, for a unified entity, the contributors to choose from. */
function columnsOf(entity: Entity, contributors: readonly Contributor[], given: readonly string[]) {
  const known = new Set(contributors.map((each) => idOf(each.entity)))
  const isOwn = isUnified(entity) && given.every((id) => known.has(id))
  if (!isOwn) return { others: given.slice(0, MAX_COMPARED - 1), own: undefined }
  return { others: given.length > 0 ? given : [...known].slice(0, DEFAULT_COLUMNS), own: contributors }
}
