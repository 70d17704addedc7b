import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { idOf } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { joinInWords } from '../../domain/match-reasons.ts'
import { ConfidenceBadge, ReliabilityBadge, TlpBadge } from '../../ui/badges.tsx'
import { Moment } from '../../ui/moment.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { EntityLink } from '../entity-link.tsx'
import type { Contributor } from './contributions.ts'
import { RemoveContributor } from './take-apart.tsx'

interface ContributorTableProps {
  readonly unified: { readonly id: string; readonly title: string }
  readonly contributors: readonly Contributor[]
  /** The id of the entity of the page. */
  readonly current: string
}

/** The contributors of a unified entity, and why each of them is one. */
export function ContributorTable({ unified, contributors, current }: ContributorTableProps) {
  const mayChange = useMay()('modify entities')
  const [removed, setRemoved] = useState<Contributor | null>(null)
  const next = contributors.find(({ entity }) => entity !== removed?.entity)
  return (
    <TableFrame minWidth={920}>
      <Table aria-label="Contributors" verticalSpacing={8} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Title</Table.Th>
            <Table.Th>Source</Table.Th>
            <Table.Th>Confidence</Table.Th>
            <Table.Th>Joined because</Table.Th>
            <Table.Th>Since</Table.Th>
            <Table.Th>Last updated</Table.Th>
            {mayChange && <Table.Th aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {contributors.map((contributor) => (
            <Table.Tr key={contributor.entity}>
              <Table.Td>
                <Title contributor={contributor} isCurrent={idOf(contributor.entity) === current} />
              </Table.Td>
              <Table.Td>
                <Stack gap={4} align="flex-start">
                  <Text size="sm">{contributor.source_name}</Text>
                  <ReliabilityBadge reliability={contributor.source_reliability} />
                </Stack>
              </Table.Td>
              <Table.Td>
                {contributor.confidence ? <ConfidenceBadge confidence={contributor.confidence} /> : '–'}
              </Table.Td>
              <Table.Td maw={260}>
                <Joined contributor={contributor} />
              </Table.Td>
              <Table.Td>
                <Moment at={contributor.since} />
              </Table.Td>
              <Table.Td>
                <Moment at={contributor.last_updated_at} />
              </Table.Td>
              {mayChange && (
                <Table.Td ta="end">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={`Remove ${defangText(contributor.title)} of ${contributor.source_name} from this unified entity`}
                    onClick={() => setRemoved(contributor)}
                  >
                    Remove
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {removed && (
        <RemoveContributor
          unified={unified}
          contributor={{ id: idOf(removed.entity), title: defangText(removed.title) }}
          count={contributors.length}
          next={next && idOf(next.entity)}
          onClose={() => setRemoved(null)}
        />
      )}
    </TableFrame>
  )
}

function Title({ contributor, isCurrent }: { readonly contributor: Contributor; readonly isCurrent: boolean }) {
  const { entity, title, type, tlp_color, contributes, why_not } = contributor
  return (
    <Stack gap={4} align="flex-start">
      <EntityLink id={idOf(entity)} title={title} type={type} />
      {(isCurrent || tlp_color) && (
        <Group gap={6}>
          <TlpBadge tlp={tlp_color} />
          {isCurrent && (
            <Badge variant="default" radius="xs">
              This entity
            </Badge>
          )}
        </Group>
      )}
      {!contributes && (
        <Text size="xs" c="dimmed">
          Contributes nothing{why_not ? `. ${why_not}` : ''}
        </Text>
      )}
    </Stack>
  )
}

function Joined({ contributor: { reason, is_assigned } }: { readonly contributor: Contributor }) {
  if (is_assigned) return <Text size="sm">{joinInWords({ kind: 'assigned', value: null })}</Text>
  if (!reason) return '–'
  // The title is shown in the same row, and not normalised.
  return <Text size="sm">{joinInWords(reason.kind === 'title' ? { ...reason, value: null } : reason)}</Text>
}
