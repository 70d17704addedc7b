import { ActionIcon, Checkbox, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { channelOf, logSourceName } from '../gaps/gap.ts'
import { useFirstRows } from '../show-more.tsx'
import { CollectedSwitch } from './collected-switch.tsx'
import type { LogSource, LogSourceGroup } from './log-source.ts'
import { LogSourceDialog } from './log-source-dialog.tsx'
import { ReviewDay } from './status-badge.tsx'

interface LogSourceTableProps {
  readonly groups: readonly LogSourceGroup[]
  /** Whether a search led to the groups: a few of them are then open. */
  readonly isFiltered: boolean
  readonly selected: ReadonlySet<number>
  readonly onSelect: (selected: ReadonlySet<number>) => void
}

/** Up to this many channels are shown at once for a search. */
const MAX_OPEN = 40

/** Log sources by name; the channels of a name are shown on demand. */
export function LogSourceTable({ groups, isFiltered, selected, onSelect }: LogSourceTableProps) {
  const mayChange = useMay()('modify attack')
  const { shown, more } = useFirstRows(groups)
  const isShort = groups.reduce((sum, { sources }) => sum + sources.length, 0) <= MAX_OPEN
  const [open, setOpen] = useState<ReadonlySet<string>>(
    new Set(isFiltered && isShort ? groups.map(({ name }) => name) : []),
  )
  const [edited, setEdited] = useState<readonly LogSource[] | null>(null)
  const select = (sources: readonly LogSource[], isSelected: boolean) => {
    const ids = new Set(sources.map(({ id }) => id))
    onSelect(isSelected ? selected.union(ids) : selected.difference(ids))
  }
  const parts = { mayChange, selected, onSelect: select, onEdit: setEdited }
  return (
    <Stack gap="sm">
      <TableFrame minWidth={900}>
        <Table aria-label="Log sources">
          <Table.Thead>
            <Table.Tr>
              {mayChange && <Table.Th w={36} aria-label="Select" />}
              <Table.Th>Name and channel</Table.Th>
              <Table.Th w={150}>Collected</Table.Th>
              <Table.Th w={90} ta="right">
                Analytics
              </Table.Th>
              <Table.Th w={100} ta="right">
                Techniques
              </Table.Th>
              <Table.Th w={120}>Owner</Table.Th>
              <Table.Th w={150}>Review</Table.Th>
              {mayChange && <Table.Th w={40} aria-label="Actions" />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((group) => (
              <GroupRows
                key={group.name}
                group={group}
                isOpen={open.has(group.name)}
                onToggle={() => setOpen(open.symmetricDifference(new Set([group.name])))}
                {...parts}
              />
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      {more}
      {edited && <LogSourceDialog sources={edited} onClose={() => setEdited(null)} />}
    </Stack>
  )
}

interface PartProps {
  readonly mayChange: boolean
  readonly selected: ReadonlySet<number>
  readonly onSelect: (sources: readonly LogSource[], isSelected: boolean) => void
  readonly onEdit: (sources: readonly LogSource[]) => void
}

interface GroupRowsProps extends PartProps {
  readonly group: LogSourceGroup
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function GroupRows({ group, isOpen, onToggle, ...parts }: GroupRowsProps) {
  const { name, sources, total, collected } = group
  const [only] = sources
  if (sources.length === 1 && only) return <SourceRow source={only} {...parts} />
  const isPart = sources.length < total
  const which = isPart ? `${sources.length} channels of ${name}` : `all channels of ${name}`
  const chosen = sources.filter(({ id }) => parts.selected.has(id)).length
  return (
    <>
      <Table.Tr>
        {parts.mayChange && (
          <Table.Td>
            <Checkbox
              size="xs"
              aria-label={`Select ${which}`}
              checked={chosen === sources.length}
              indeterminate={chosen > 0 && chosen < sources.length}
              onChange={({ currentTarget }) => parts.onSelect(sources, currentTarget.checked)}
            />
          </Table.Td>
        )}
        <Table.Td>
          <UnstyledButton aria-expanded={isOpen} onClick={onToggle} style={{ overflowWrap: 'anywhere' }}>
            <Group gap={6} wrap="nowrap">
              <Text component="span" c="dimmed" aria-hidden w={10} size="xs">
                {isOpen ? '▾' : '▸'}
              </Text>
              <Text component="span" size="sm" fw={600} className="code">
                {name}
              </Text>
            </Group>
          </UnstyledButton>
        </Table.Td>
        <Table.Td>
          <Group gap={8} wrap="nowrap">
            <CollectedSwitch name={which} sources={sources} />
            <Text size="xs" c="dimmed">
              {collected} of {sources.length}
            </Text>
          </Group>
        </Table.Td>
        <Table.Td colSpan={4}>
          <Text size="xs" c="dimmed">
            {isPart && `${sources.length} of ${total} channels shown`}
          </Text>
        </Table.Td>
        {parts.mayChange && (
          <Table.Td>
            <EditButton name={which} onClick={() => parts.onEdit(sources)} />
          </Table.Td>
        )}
      </Table.Tr>
      {isOpen && sources.map((source) => <SourceRow key={source.id} source={source} isChannel {...parts} />)}
    </>
  )
}

interface SourceRowProps extends PartProps {
  readonly source: LogSource
  /** Whether the name is in a row above. */
  readonly isChannel?: boolean
}

function SourceRow({ source, isChannel = false, mayChange, selected, onSelect, onEdit }: SourceRowProps) {
  const users = useNames('users')
  const name = logSourceName(source)
  return (
    <Table.Tr>
      {mayChange && (
        <Table.Td>
          <Checkbox
            size="xs"
            aria-label={`Select ${name}`}
            checked={selected.has(source.id)}
            onChange={({ currentTarget }) => onSelect([source], currentTarget.checked)}
          />
        </Table.Td>
      )}
      <Table.Td pl={isChannel ? 34 : 26}>
        <Text size="sm" className="code" component="div">
          {!isChannel && (
            <Text component="span" inherit fw={600}>
              {source.name}{' '}
            </Text>
          )}
          {channelOf(source) || (isChannel && <i>Any channel</i>)}
        </Text>
        {source.note !== '' && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            <PlainText text={source.note} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <CollectedSwitch name={name} sources={[source]} />
      </Table.Td>
      <Table.Td ta="right">{source.analytics.toLocaleString('en')}</Table.Td>
      <Table.Td ta="right">{source.techniques.toLocaleString('en')}</Table.Td>
      <Table.Td>{source.owner ? nameOf(users, source.owner) : '–'}</Table.Td>
      <Table.Td>
        <ReviewDay at={source.review_at} />
      </Table.Td>
      {mayChange && (
        <Table.Td>
          <EditButton name={name} onClick={() => onEdit([source])} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}

const EditButton = ({ name, onClick }: { readonly name: string; readonly onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Edit ${name}`} onClick={onClick}>
    <Icon name="edit" size={14} />
  </ActionIcon>
)
