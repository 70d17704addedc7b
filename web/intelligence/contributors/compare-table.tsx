import { Group, Paper, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Entity, Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { defang } from '../../domain/observables.ts'
import { fieldLabel } from '../../forms/labels.ts'
import { TlpBadge, UnifiedBadge } from '../../ui/badges.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { isUnified } from '../entity/entity-queries.ts'
import { useTaxonomyPaths } from '../taxonomies/taxonomy-paths.ts'
import { CompareCell } from './compare-cell.tsx'
import classes from './compare-table.module.css'
import { type ComparedRow, comparedSet, compareEntities } from './comparison.ts'
import { namedValue } from './named-value.ts'

interface CompareTableProps {
  readonly entities: readonly Entity[]
  /** Whether equal fields are hidden. */
  readonly isShort: boolean
}

/** Entities side by side, one field per row. */
export function CompareTable({ entities, isShort }: CompareTableProps) {
  const rows = useRows(entities)
  const shown = isShort ? rows.filter(({ isEqual }) => !isEqual) : rows
  const equal = rows.filter(({ isEqual }) => isEqual).length
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed" role="status">
        {rows.length - equal} of {rows.length} fields differ
      </Text>
      <Paper withBorder className={classes.frame} tabIndex={0} role="region" aria-label="Comparison">
        <table className={classes.table} style={{ minWidth: 150 + entities.length * 210 }}>
          <thead>
            <tr>
              <th scope="col" className={`${classes.head} ${classes.label} ${classes.corner}`}>
                Field
              </th>
              {entities.map((entity) => (
                <th key={entity.id} scope="col" className={classes.head}>
                  <Head entity={entity} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.path}>
                <th scope="row" className={classes.label}>
                  {fieldLabel(row.path)}
                </th>
                {entities.map(({ id }, column) => (
                  <CompareCell key={id} row={row} column={column} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Paper>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" p="md">
          All fields are equal.
        </Text>
      )}
    </Stack>
  )
}

function Head({ entity }: { readonly entity: Entity }) {
  const names = useNames('sources')
  const [source] = entity.sources
  return (
    <Stack gap={4} align="flex-start">
      <PageLink to={`/entities/${entity.id}`}>{entityTitle(entity)}</PageLink>
      <Group gap={6}>
        {isUnified(entity) && <UnifiedBadge />}
        <TlpBadge tlp={entity.meta.tlp_color} />
        <Text size="xs" c="dimmed" span>
          {source ? nameOf(names, source) : ''}
        </Text>
      </Group>
    </Stack>
  )
}

/** At most this many observables of each entity are compared. */
const MAX_OBSERVABLES = 500

function useRows(entities: readonly Entity[]): readonly ComparedRow[] {
  const mayRead = useMay()('read extracts')
  const taxonomies = useTaxonomyPaths()
  const sources = useNames('sources')
  const lists = useQueries({
    queries: entities.map(({ id }) => ({
      ...listQuery<Pick<Observable, 'type' | 'value'>>('observables', {
        'filter[entities]': id,
        attributes: 'type,value',
        limit: MAX_OBSERVABLES,
      }),
      enabled: mayRead,
    })),
  })
  const observables = lists.map(({ data }) => data?.data.map(({ type, value }) => defang(type, value)) ?? [])
  const fields = compareEntities(entities).map((row) => ({
    ...row,
    values: row.values.map((value) => namedValue(row.path, value, { taxonomies, sources })),
    items: row.items?.map((each) => ({
      ...each,
      item: [namedValue(row.path, [each.item], { taxonomies, sources })].flat()[0],
    })),
  }))
  const also = observables.some((list) => list.length > 0) ? [comparedSet('observables', observables)] : []
  return [...fields, ...also]
}
