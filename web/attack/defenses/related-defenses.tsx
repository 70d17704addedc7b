import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadFault } from '../../ui/load-fault.tsx'
import { wholeQuery } from '../all-pages.ts'
import { DEFENSE_TYPES, DEFENSES, type Defense, type NamedDefense } from './defense.ts'
import { DefenseTable } from './defense-table.tsx'
import { useStatuses } from './status.ts'

/** The defenses that a defense consists of, and those that it is a part of: a strategy of analytics, an analytic of data components. */
export const RelatedDefenses = ({ defense }: { readonly defense: Defense }) => (
  <>
    <List defense={defense} filter="source_defenses" of="parts" />
    <List defense={defense} filter="related_defenses" of="users" />
  </>
)

const TITLES: Readonly<Record<'parts' | 'users', string>> = { parts: '', users: ' that use it' }

interface ListProps {
  readonly defense: Defense
  readonly filter: 'source_defenses' | 'related_defenses'
  readonly of: 'parts' | 'users'
}

function List({ defense: { id }, filter, of }: ListProps) {
  const list = useQuery(wholeQuery<NamedDefense>(DEFENSES, { [`filter[${filter}]`]: id, sort: 'external_id' }))
  const { byDefense } = useStatuses()
  if (list.error) return <LoadFault query={list} />
  if (!list.data) return <Skeleton h={120} role="status" aria-label="Loading related defenses" />
  return [...Map.groupBy(list.data, ({ type }) => type)].map(([type, defenses]) => (
    <Stack key={type} gap="xs">
      <Title order={2} size="h4">
        {DEFENSE_TYPES.find(({ value }) => value === type)?.label}
        {TITLES[of]}{' '}
        <Text component="span" size="sm" c="dimmed">
          {defenses.length.toLocaleString('en')}
        </Text>
      </Title>
      <DefenseTable type={type} defenses={defenses} statuses={byDefense} />
    </Stack>
  ))
}
