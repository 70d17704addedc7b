import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import { defang } from '../../domain/observables.ts'
import { EntityIcon } from '../../intelligence/entity-icon.tsx'
import { MaliciousnessBadge } from '../../ui/badges.tsx'
import { Indicator } from '../../ui/indicator.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Finding, type FoundLink, relationName, sortFindings } from './enricher-result.ts'

/** Links beyond these are counted only. */
const MAX_LINKS = 20

interface FindingsProps {
  readonly findings: readonly Finding[]
  /** Whether verdicts and links are shown elsewhere. */
  readonly isRest?: boolean
}

/** Everything that a look-up found, by kind. */
export function Findings({ findings, isRest = false }: FindingsProps) {
  const { verdicts, links, entities, tags, nodes, references, attachments } = sortFindings(findings)
  return (
    <Stack gap="xs">
      {!isRest &&
        verdicts.map(({ maliciousness, reason }) => (
          <Group key={`${maliciousness} ${reason}`} gap="xs">
            <MaliciousnessBadge maliciousness={maliciousness} />
            <Text size="sm">{defangText(reason)}</Text>
          </Group>
        ))}
      {tags.length > 0 && (
        <Group gap={4}>
          {tags.map((tag) => (
            <Badge key={tag} variant="default" radius="xs" tt="none">
              {defangText(tag)}
            </Badge>
          ))}
        </Group>
      )}
      {entities.map(({ type, title, description }) => (
        <Group key={`${type} ${title}`} gap="xs" wrap="nowrap" align="flex-start">
          <EntityIcon type={type} />
          <div>
            <Text size="sm">{defangText(title)}</Text>
            {description && (
              <Text size="xs" c="dimmed" lineClamp={2}>
                {defangText(description)}
              </Text>
            )}
          </div>
        </Group>
      ))}
      {nodes.length > 0 && <Text size="sm">ATT&CK: {nodes.join(', ')}</Text>}
      {!isRest && links.length > 0 && <Links links={links} />}
      {references.map(({ url, title }) => (
        <Text key={url} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {title && `${defangText(title)}: `}
          <span className="code">{defang('uri', url)}</span>
        </Text>
      ))}
      {attachments.map(({ name, size }) => (
        <Text key={name} size="sm">
          Attachment {name}, {size.toLocaleString('en')} bytes, not stored
        </Text>
      ))}
    </Stack>
  )
}

function Links({ links }: { readonly links: readonly FoundLink[] }) {
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={140}>Relation</Table.Th>
            <Table.Th>Observable</Table.Th>
            <Table.Th>Last seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.slice(0, MAX_LINKS).map(({ relation, type, value, last_seen }) => (
            <Table.Tr key={`${relation} ${type} ${value}`}>
              <Table.Td>{relationName(relation)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Indicator type={type} value={value} canCopy={false} />
              </Table.Td>
              <Table.Td>
                <Moment at={last_seen} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {links.length > MAX_LINKS && (
        <Text size="xs" c="dimmed" mt={4}>
          and {(links.length - MAX_LINKS).toLocaleString('en')} more
        </Text>
      )}
    </Table.ScrollContainer>
  )
}
