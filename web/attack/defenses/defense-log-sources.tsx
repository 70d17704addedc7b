import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { LoadFault } from '../../ui/load-fault.tsx'
import { wholeQuery } from '../all-pages.ts'
import { type Defense, INNER_RELATIONSHIPS } from './defense.ts'
import { groupsOf, logSourcesQuery } from './log-source.ts'
import { LogSourceTable } from './log-source-table.tsx'

interface InnerRelationship {
  readonly name: string
  readonly channel: string
}

const keyOf = ({ name, channel }: InnerRelationship): string => JSON.stringify([name, channel])

/** The log sources that an analytic needs, or that a data component comes from. */
export function DefenseLogSources({ defense: { id, type } }: { readonly defense: Defense }) {
  const end = type === 'analytic' ? 'from_defense' : 'to_defense'
  const used = useQuery(
    wholeQuery<InnerRelationship>(INNER_RELATIONSHIPS, {
      [`filter[${end}]`]: id,
      'filter[type]': 'log-source-references',
      attributes: 'name,channel',
    }),
  )
  const all = useQuery(logSourcesQuery(''))
  const groups = useMemo(() => {
    const keys = new Set(used.data?.map(keyOf))
    return groupsOf(all.data?.filter((source) => keys.has(keyOf(source))) ?? [], '', '')
  }, [used.data, all.data])
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const failed = [used, all].find(({ error }) => error)
  if (failed) return <LoadFault query={failed} />
  if (!used.data || !all.data) return <Skeleton h={120} role="status" aria-label="Loading log sources" />
  if (groups.length === 0) return null
  const sources = groups.flatMap((group) => group.sources)
  const missing = sources.filter(({ is_collected }) => !is_collected).length
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Log sources{' '}
        <Text component="span" size="sm" c="dimmed">
          {sources.length.toLocaleString('en')}
        </Text>
      </Title>
      {type === 'analytic' && (
        <Text size="sm" c="dimmed">
          {missing === 0
            ? 'All of them are collected: the analytic is possible.'
            : `The analytic is possible once all of them are collected. ${missing.toLocaleString('en')} ${missing === 1 ? 'is' : 'are'} missing.`}
        </Text>
      )}
      <LogSourceTable groups={groups} isFiltered selected={selected} onSelect={setSelected} />
    </Stack>
  )
}
