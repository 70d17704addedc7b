import { Table, Text } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import { ReferenceName } from '../../intelligence/reference-name.tsx'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { SourceVerdict } from './verdicts.ts'

/** The verdict of a source that is not an enricher, among the results of enrichers. */
export function VerdictRow({ verdict }: { readonly verdict: SourceVerdict }) {
  const users = useNames('users')
  const { source, maliciousness, is_own, given_at, given_by } = verdict
  return (
    <Table.Tr>
      <Table.Td />
      <Table.Td>
        <ReferenceName collection="sources" url={source} permission="read sources" />
      </Table.Td>
      <Table.Td>
        <MaliciousnessBadge maliciousness={maliciousness} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{is_own ? 'Verdict of your group, which takes precedence' : 'Verdict of the source'}</Text>
      </Table.Td>
      <Table.Td>
        <Moment at={given_at} />
        {given_by !== null && (
          <Text size="xs" c="dimmed">
            by {nameOf(users, given_by)}
          </Text>
        )}
      </Table.Td>
      <Table.Td />
    </Table.Tr>
  )
}
