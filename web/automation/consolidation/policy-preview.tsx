import { Alert, Badge, Group, List, Loader, Paper, Stack, Table, Text } from '@mantine/core'
import { idOf } from '../../api/lists.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { joinInWords, reasonKindLabel } from '../../domain/match-reasons.ts'
import { EntityIcon } from '../../intelligence/entity-icon.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { spelled } from './names.ts'
import { distinctKeys, remedyOf, whySwitchedOff } from './policy-words.ts'
import { isRefused, type LivePolicyPreview, type PolicyPreview, type PreviewedGroup } from './use-policy-preview.ts'

const count = (number: number): string => number.toLocaleString('en')

/** What a policy would join, while it is being written. */
export function PolicyPreviewPanel({ lack, preview }: LivePolicyPreview) {
  const { data, error, isBehind } = preview
  return (
    <Card
      title="Preview"
      after={isBehind && lack === undefined && <Loader size={14} aria-label="Computing the preview" />}
      description="What the policy would join among existing entities. Nothing is stored."
    >
      {lack !== undefined && <Text size="sm">{lack}</Text>}
      {lack === undefined &&
        !isBehind &&
        (isRefused(error) ? <ErrorFaults error={error} /> : <LoadFault query={preview} />)}
      {lack === undefined && !error && data && <Shown preview={data} isBehind={isBehind} />}
    </Card>
  )
}

function Shown({ preview, isBehind }: { readonly preview: PolicyPreview; readonly isBehind: boolean }) {
  const { judged, is_sample, groups, contributors, suggestions, by_type, by_key, samples, switched_off } = preview
  return (
    <Stack gap="sm" opacity={isBehind ? 0.6 : 1} aria-busy={isBehind}>
      <Group gap="lg" role="status">
        <Figure value={groups} label={groups === 1 ? 'unified entity' : 'unified entities'} />
        <Figure value={contributors} label={contributors === 1 ? 'contributor' : 'contributors'} />
        {suggestions > 0 && <Figure value={suggestions} label={suggestions === 1 ? 'suggestion' : 'suggestions'} />}
      </Group>
      <Text size="sm" c="dimmed">
        {is_sample
          ? `The latest ${count(judged)} entities were compared; comparing all of them would take too long.`
          : `${count(judged)} ${judged === 1 ? 'entity was' : 'entities were'} compared.`}
      </Text>
      {groups === 0 && judged > 0 && (
        <Text size="sm">
          No entities are equal enough to be joined automatically. New ones are compared as they arrive.
        </Text>
      )}
      {by_type.length > 0 && <TypeTable rows={by_type} />}
      {by_key.length > 0 && (
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            Joined by
          </Text>
          {by_key.map((key) => (
            <Badge key={key.kind} variant="default" radius="xs">
              {reasonKindLabel(key.kind)} {count(key.count)}
            </Badge>
          ))}
        </Group>
      )}
      {switched_off.length > 0 && (
        <Alert color="yellow" variant="light" title="Shared by too many entities, therefore not used">
          <List size="sm" spacing={4}>
            {distinctKeys(switched_off).map((key) => (
              <List.Item key={`${key.kind} ${key.value}`} style={{ overflowWrap: 'anywhere' }}>
                {key.value && <b>{defangText(key.value)}: </b>}
                {whySwitchedOff(key)} {remedyOf(key)}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {samples.length > 0 && (
        <Stack gap="xs" component="section" aria-label="Examples">
          <Text size="xs" c="dimmed" fw={600}>
            {groups > samples.length ? 'Examples' : 'Unified entities'}
          </Text>
          {samples.map((group) => (
            <GroupView key={group.contributors.map(({ entity }) => entity).join()} group={group} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

const Figure = ({ label, value }: { readonly label: string; readonly value: number }) => (
  <Text size="sm">
    <Text span fw={700} fz="xl">
      {count(value)}
    </Text>{' '}
    {label}
  </Text>
)

const TypeTable = ({ rows }: { readonly rows: PolicyPreview['by_type'] }) => (
  <Table aria-label="By type" verticalSpacing={3} horizontalSpacing={0}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Type</Table.Th>
        <Table.Th ta="right">Unified</Table.Th>
        <Table.Th ta="right">Contributors</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(({ type, groups, contributors }) => (
        <Table.Tr key={type}>
          <Table.Td>{entityTypeName(type)}</Table.Td>
          <Table.Td ta="right">{count(groups)}</Table.Td>
          <Table.Td ta="right">{count(contributors)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

/** A unified entity with its contributors and what joins them. */
function GroupView({ group: { type, title, contributors, keys } }: { readonly group: PreviewedGroup }) {
  const titles = [title, ...contributors.map((each) => each.title)]
  return (
    <Paper withBorder p="xs">
      <Stack gap={4}>
        <Group gap={6} wrap="nowrap">
          <EntityIcon type={type} isDecoration />
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {defangText(title)}
          </Text>
          <Text size="xs" c="dimmed" flex="none" ml="auto">
            {entityTypeName(type)}
          </Text>
        </Group>
        {contributors.map((each) => (
          <Group key={each.entity} gap="xs" wrap="nowrap" justify="space-between" pl={22}>
            <PageLink to={`/entities/${idOf(each.entity)}`} style={{ overflowWrap: 'anywhere' }}>
              {defangText(each.title)}
            </PageLink>
            <Text size="xs" c="dimmed" truncate maw="50%">
              {defangText(each.source_name)}
            </Text>
          </Group>
        ))}
        <Text size="xs" c="dimmed" pl={22} style={{ overflowWrap: 'anywhere' }}>
          {keys.map((key) => joinInWords(spelled(key, titles))).join(' · ')}
        </Text>
      </Stack>
    </Paper>
  )
}
