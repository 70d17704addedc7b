import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { matrixName } from '../matrices.ts'
import { useFirstRows } from '../show-more.tsx'
import type { DefenseType, NamedDefense } from './defense.ts'
import type { DefenseStatus } from './status.ts'
import { ReviewDay } from './status-badge.tsx'
import { StatusInputs } from './status-inputs.tsx'

interface DefenseTableProps {
  /** Absent for defenses of several types. */
  readonly type?: DefenseType
  readonly defenses: readonly NamedDefense[]
  /** Undefined while they are loading. */
  readonly statuses: ReadonlyMap<number, DefenseStatus> | undefined
}

/** Defenses with their statuses, which are changed in place. */
export function DefenseTable({ type, defenses, statuses }: DefenseTableProps) {
  const { shown, more } = useFirstRows(defenses)
  const users = useNames('users')
  return (
    <Stack gap="sm">
      <TableFrame minWidth={920}>
        <Table aria-label="Defenses">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={90}>Id</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th w={150}>{type === 'analytic' ? 'Platforms' : 'Domains'}</Table.Th>
              <Table.Th w={256}>Status and score</Table.Th>
              <Table.Th w={130}>Owner</Table.Th>
              <Table.Th w={150}>Review</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((defense) => {
              const status = statuses?.get(defense.id)
              return (
                <Table.Tr key={defense.id}>
                  <Table.Td className="code">{defense.external_id ?? <OwnBadge />}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <PageLink to={`/attack/defenses/${defense.id}`}>{defangText(defense.name)}</PageLink>
                    {status && status.note !== '' && (
                      <Text size="xs" c="dimmed" lineClamp={1}>
                        <PlainText text={status.note} />
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    {type === 'analytic' ? (
                      <Text size="xs">{defense.mitre_platforms?.join(', ') ?? '–'}</Text>
                    ) : (
                      <Domains defense={defense} />
                    )}
                  </Table.Td>
                  <Table.Td>{statuses && <StatusInputs defense={defense} status={status} />}</Table.Td>
                  <Table.Td>{status?.owner ? nameOf(users, status.owner) : '–'}</Table.Td>
                  <Table.Td>
                    <ReviewDay at={status?.review_at ?? null} />
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {more}
    </Stack>
  )
}

/** Marks a defense that belongs to no framework. */
export const OwnBadge = () => (
  <Badge variant="light" radius="xs" color="violet">
    Own
  </Badge>
)

/** The matrices that a defense belongs to. */
export function Domains({ defense: { domains, is_system } }: { readonly defense: NamedDefense }) {
  if (domains.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {is_system ? 'Removed from the framework' : '–'}
      </Text>
    )
  return (
    <Group gap={4}>
      {domains.map((domain) => (
        <Badge key={domain} variant="default" radius="xs" fw={500}>
          {matrixName(domain)}
        </Badge>
      ))}
    </Group>
  )
}
