import { Spoiler, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { idOf } from '../../api/lists.ts'
import { fieldLabel } from '../../forms/labels.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { ComparedValue } from './compared-value.tsx'
import { type Contributor, type FieldOrigin, originsOf, otherValues } from './contributions.ts'

interface FieldOriginsProps {
  readonly fields: readonly FieldOrigin[]
  readonly contributors: readonly Contributor[]
}

/** The fields of a unified entity, with the contributor that each value comes from. */
export function FieldOrigins({ fields, contributors }: FieldOriginsProps) {
  if (fields.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label="Where the values come from">
      <Title order={2} size="h5">
        Where the values come from
      </Title>
      <TableFrame minWidth={760}>
        <Table aria-label="Fields" verticalSpacing={8} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={170}>Field</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th w={200}>From</Table.Th>
              <Table.Th w={260}>Why</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((origin) => (
              <FieldRow key={origin.field} origin={origin} contributors={contributors} />
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
    </Stack>
  )
}

function FieldRow({
  origin,
  contributors,
}: {
  readonly origin: FieldOrigin
  readonly contributors: readonly Contributor[]
}) {
  const [isOpen, setIsOpen] = useState(false)
  const { field, value, rule } = origin
  const others = otherValues(origin, contributors)
  const label = fieldLabel(field)
  return (
    <>
      <Table.Tr style={{ verticalAlign: 'top' }}>
        <Table.Td>
          <Text size="sm" fw={500}>
            {label}
          </Text>
          {others.length > 0 && (
            <UnstyledButton
              aria-expanded={isOpen}
              aria-label={`${otherCount(others.length)} of ${label}`}
              onClick={() => setIsOpen(!isOpen)}
            >
              <Text size="xs" c="var(--mantine-color-anchor)">
                {isOpen ? 'Hide' : 'Show'} {otherCount(others.length)}
              </Text>
            </UnstyledButton>
          )}
        </Table.Td>
        <Table.Td>
          <Spoiler maxHeight={96} showLabel="Show all" hideLabel="Show less">
            <ComparedValue path={field} value={value} />
          </Spoiler>
        </Table.Td>
        <Table.Td>
          <Sources contributors={originsOf(origin, contributors)} />
        </Table.Td>
        <Table.Td>
          <Text size="sm">{rule}</Text>
        </Table.Td>
      </Table.Tr>
      {isOpen &&
        others.map((other) => (
          <Table.Tr
            key={other.contributors.map(({ entity }) => entity).join()}
            style={{ verticalAlign: 'top' }}
            bg="var(--corvus-ground)"
          >
            <Table.Td />
            <Table.Td>
              <ComparedValue path={field} value={other.value} />
            </Table.Td>
            <Table.Td>
              <Sources contributors={other.contributors} />
            </Table.Td>
            <Table.Td>
              <Text size="sm" c="dimmed">
                Not used
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
    </>
  )
}

const otherCount = (count: number): string => (count === 1 ? '1 other value' : `${count} other values`)

/** At most this many sources are listed before the rest is only counted. */
const MAX_LISTED = 4

function Sources({ contributors }: { readonly contributors: readonly Contributor[] }) {
  if (contributors.length === 0) return '–'
  return (
    <Stack gap={2}>
      {contributors.slice(0, MAX_LISTED).map(({ entity, source_name }) => (
        <PageLink key={entity} to={`/entities/${idOf(entity)}`}>
          {source_name}
        </PageLink>
      ))}
      {contributors.length > MAX_LISTED && (
        <Text size="xs" c="dimmed">
          and {contributors.length - MAX_LISTED} more
        </Text>
      )}
    </Stack>
  )
}
