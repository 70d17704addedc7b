import { Alert, Badge, Group, List, Loader, Paper, Stack, Text } from '@mantine/core'
import { idOf } from '../../api/lists.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { EffectList } from '../../intelligence/entity/effect-list.tsx'
import { effectLabel } from '../../intelligence/entity/rule-effects.ts'
import { EntityLink } from '../../intelligence/entity-link.tsx'
import { Card } from '../../ui/card.tsx'
import { Faults } from '../../ui/faults.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { effectsOf, type RulePreview, type Sample } from './entity-rule.ts'
import { isRefused, type LivePreview } from './use-rule-preview.ts'

/** What a rule would change, while it is being written. */
export function PreviewPanel({ lack, preview, faults }: LivePreview) {
  const { data, error, isBehind } = preview
  return (
    <Card
      title="Preview"
      after={isBehind && lack === undefined && <Loader size={14} aria-label="Computing the preview" />}
      description="What the rule would change on existing entities. Nothing is stored."
    >
      {lack !== undefined && <Text size="sm">{lack}</Text>}
      {Object.keys(faults.fields).length > 0 && (
        <Text size="sm">Correct the highlighted fields to see what the rule would change.</Text>
      )}
      <Faults texts={faults.others} />
      {lack === undefined && error && !isBehind && !isRefused(error) && <LoadFault query={preview} />}
      {lack === undefined && !error && data && <Shown preview={data} isBehind={isBehind} />}
    </Card>
  )
}

const count = (number: number): string => number.toLocaleString('en')

function Shown({ preview, isBehind }: { readonly preview: RulePreview; readonly isBehind: boolean }) {
  const { matched, judged, changed, is_sample, warnings, samples } = preview
  return (
    <Stack gap="sm" opacity={isBehind ? 0.6 : 1} aria-busy={isBehind}>
      <Group gap="lg" role="status">
        <Figure label={matched === 1 ? 'entity matches' : 'entities match'} value={matched} />
        <Figure label="would change" value={changed} />
      </Group>
      {is_sample && (
        <Text size="sm" c="dimmed">
          These counts are for the latest {count(judged)} entities; comparing all of them would take too long.
        </Text>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="Warnings">
          <List size="sm">
            {warnings.map((warning) => (
              <List.Item key={warning}>{defangText(warning)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Counts
        label="Changes"
        counts={preview.by_effect.map((each) => ({ name: effectLabel(each.effect), count: each.count }))}
      />
      <Counts
        label="Types"
        counts={preview.by_type.map((each) => ({ name: entityTypeName(each.type), count: each.count }))}
      />
      <Counts label="Sources" counts={preview.by_source} />
      {matched === 0 && <Text size="sm">No existing entity matches. New ones are changed while they are stored.</Text>}
      {matched > 0 && changed === 0 && (
        <Text size="sm">All matching entities are already as the rule would make them.</Text>
      )}
      {samples.length > 0 && (
        <Stack gap="xs" component="section" aria-label="Examples">
          <Text size="xs" c="dimmed" fw={600}>
            {changed > samples.length ? `${samples.length} examples` : 'Changed entities'}
          </Text>
          {samples.map((sample) => (
            <SampleView key={sample.entity} sample={sample} />
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

interface CountsProps {
  readonly label: string
  readonly counts: readonly { readonly name: string; readonly count: number }[]
}

function Counts({ label, counts }: CountsProps) {
  if (counts.length === 0) return null
  return (
    <Group gap={6} align="center">
      <Text size="xs" c="dimmed" w={56}>
        {label}
      </Text>
      {counts.map((each) => (
        <Badge key={each.name} variant="default" radius="xs">
          {defangText(each.name)} {count(each.count)}
        </Badge>
      ))}
    </Group>
  )
}

const SampleView = ({ sample }: { readonly sample: Sample }) => (
  <Paper withBorder p="xs">
    <Stack gap={4}>
      <EntityLink id={idOf(sample.entity)} title={sample.title} type={sample.type} />
      <EffectList effects={effectsOf(sample)} />
      <Text size="xs" c="dimmed">
        {defangText(sample.source_name)}
      </Text>
    </Stack>
  </Paper>
)
