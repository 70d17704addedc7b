import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { RuleList } from '../rule-list.tsx'
import type { RuleColumn } from '../rule-table.tsx'
import { type Configuration, configurationsPath, POLICIES, type Policy } from './policy.ts'
import { typesInWords } from './policy-words.ts'

const COLUMNS: readonly RuleColumn<Policy>[] = [
  { label: 'Types', cell: (policy) => <Types policy={policy} /> },
  { label: 'Merge group', width: 150, cell: ({ merge_group }) => <GroupName url={merge_group} /> },
  { label: 'Unified', width: 90, cell: ({ unified_count }) => <Count count={unified_count} /> },
  { label: 'Contributors', width: 100, cell: ({ contributors_count }) => <Count count={contributors_count} /> },
]

/** The list of consolidation policies. */
export const Policies = () => <RuleList<Policy> kind={POLICIES} columns={COLUMNS} actions={<SeeSuggestions />} />

/** Links to what policies leave to a person to decide, and to what they did. */
function SeeSuggestions() {
  if (!useMay()('read entities')) return null
  return (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/consolidation-events" {...props} />}>
        Show history
      </Button>
      <Button variant="default" renderRoot={(props) => <Link to="/consolidation-suggestions" {...props} />}>
        Review suggestions
      </Button>
    </>
  )
}

const Count = ({ count }: { readonly count: number }) => <Text size="sm">{count.toLocaleString('en')}</Text>

const GroupName = ({ url }: { readonly url: string }) => <Text size="sm">{nameOf(useNames('groups'), url)}</Text>

function Types({ policy }: { readonly policy: Policy }) {
  const { data, error } = useQuery(listQuery<Configuration>(configurationsPath(policy.id), { sort: 'id' }))
  if (error) return <Text size="sm">–</Text>
  if (!data) return <Skeleton h={14} w={120} />
  return (
    <Text size="sm" lineClamp={3}>
      {typesInWords(data.data) || 'No configuration yet'}
    </Text>
  )
}
