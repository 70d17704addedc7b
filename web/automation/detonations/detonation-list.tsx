import { Group, Skeleton, Table, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endlessQuery, type Parameters } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { ListEnd } from '../../ui/list-end.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { sizeInWords } from '../../ui/size-in-words.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { detonationsQuery, isUnderWay, type ListedDetonation } from './detonation-queries.ts'
import { DetonationState, VerdictBadge } from './detonation-state.tsx'
import { sampleName } from './detonation-words.ts'

interface DetonationListProps {
  readonly parameters: Parameters
  /** Whether only the first page is shown, as on the pages of other objects. */
  readonly isCut?: boolean
  /** Whether all of them are of one detonator, which is then not named. */
  readonly isOfOne?: boolean
  /** Shown if there are none. */
  readonly empty: ReactNode
}

/** Detonations, latest first; those under way are kept up to date. */
export const DetonationList = ({ isCut = false, ...props }: DetonationListProps) =>
  isCut ? <FirstPage {...props} /> : <AllPages {...props} />

function FirstPage({ parameters, isOfOne = false, empty }: DetonationListProps) {
  const list = useQuery(detonationsQuery(parameters))
  return (
    <>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={60} role="status" aria-label="Loading detonations" />}
      {list.data && <Found detonations={list.data.data} isOfOne={isOfOne} empty={empty} />}
    </>
  )
}

function AllPages({ parameters, isOfOne = false, empty }: DetonationListProps) {
  const list = useInfiniteQuery({
    ...endlessQuery<ListedDetonation>('detonations', { sort: '-requested_at', limit: 50, ...parameters }),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? BUSY_MS : false),
  })
  return (
    <>
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={240} role="status" aria-label="Loading detonations" />}
      {list.data && <Found detonations={list.data.pages.flatMap(({ data }) => data)} isOfOne={isOfOne} empty={empty} />}
      <ListEnd list={list} />
    </>
  )
}

const BUSY_MS = 4_000

interface FoundProps extends Pick<DetonationListProps, 'empty'> {
  readonly detonations: readonly ListedDetonation[]
  readonly isOfOne: boolean
}

function Found({ detonations, isOfOne, empty }: FoundProps) {
  if (detonations.length > 0) return <DetonationTable detonations={detonations} isOfOne={isOfOne} />
  if (typeof empty !== 'string') return empty
  return (
    <Text size="sm" c="dimmed">
      {empty}
    </Text>
  )
}

interface DetonationTableProps {
  readonly detonations: readonly ListedDetonation[]
  readonly isOfOne?: boolean
}

/** Detonations with their states and verdicts. */
export function DetonationTable({ detonations, isOfOne = false }: DetonationTableProps) {
  const detonators = useNames('detonators')
  return (
    <TableFrame minWidth={isOfOne ? 560 : 700}>
      <Table aria-label="Detonations" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Sample</Table.Th>
            {!isOfOne && <Table.Th w={170}>Detonator</Table.Th>}
            <Table.Th w={230}>State</Table.Th>
            <Table.Th w={180}>Verdict</Table.Th>
            <Table.Th w={150}>Requested</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {detonations.map((detonation) => (
            <Table.Tr key={detonation.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }} miw={180}>
                <PageLink to={`/detonations/${detonation.id}`} lineClamp={2}>
                  {sampleName(detonation)}
                </PageLink>
                <Text size="xs" c="dimmed">
                  {detonation.kind === 'url'
                    ? 'URL'
                    : ['File', detonation.size !== null && sizeInWords(detonation.size)].filter(Boolean).join(' · ')}
                </Text>
              </Table.Td>
              {!isOfOne && <Table.Td>{nameOf(detonators, detonation.detonator)}</Table.Td>}
              <Table.Td>
                <DetonationState state={detonation.state} />
                {detonation.state_reason && (
                  <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                    {defangText(detonation.state_reason)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  <VerdictBadge verdict={detonation.verdict} score={detonation.score} />
                  {detonation.families.length > 0 && (
                    <Text size="xs" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
                      {detonation.families.map(defangText).join(', ')}
                    </Text>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>
                <Moment at={detonation.requested_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}
