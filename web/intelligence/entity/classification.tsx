import { Paper, Select, Stack, TagsInput, Title } from '@mantine/core'
import type { Schema } from '../../api/schema.ts'
import { TLP_OPTIONS } from '../../domain/tlp.ts'
import { type FieldFault, faultsInside, faultText } from '../../forms/field-faults.ts'
import type { Drawn } from '../../forms/field-kind.ts'
import { SchemaField } from '../../forms/schema-field.tsx'
import type { SetValue } from '../../forms/use-draft.ts'
import type { EntityDraft } from './entity-draft.ts'
import { nodeOf } from './node-of.ts'
import { SourceField, TaxonomyField } from './reference-fields.tsx'
import { TagsField } from './tags-field.tsx'

/** TLP colours by API name, with their TLP 2.0 names. */
const TLP = [{ value: 'NONE', label: 'None' }, ...TLP_OPTIONS]

/** Metadata fields whose inputs are derived from their schemas. */
const PLAIN = [
  'source_reliability',
  'half_life',
  'estimated_threat_start_time',
  'estimated_threat_end_time',
  'estimated_observed_time',
  'alias',
]

/** All metadata fields in this section. */
export const CLASSIFIED = ['tlp_color', 'tags', 'taxonomies', 'attacks', ...PLAIN]

const LABELS: Readonly<Record<string, string>> = {
  half_life: 'Half-life (days)',
  estimated_threat_start_time: 'Threat start',
  estimated_threat_end_time: 'Threat end',
  estimated_observed_time: 'Observed',
}

interface ClassificationProps {
  readonly draft: EntityDraft
  readonly confidence: Drawn | undefined
  readonly fields: Readonly<Record<string, Schema>>
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
}

/** The classification of an entity: TLP, confidence, times, tags and taxonomies. */
export function Classification({
  draft: { data, meta, source },
  confidence,
  fields,
  faults,
  set,
}: ClassificationProps) {
  const wrong = (name: string) => faultText(faultsInside(faults, ['meta', name]), ['meta', name])
  const list = (name: string): readonly (string | number)[] => {
    const value = meta[name]
    return Array.isArray(value) ? value : []
  }
  const attacks = new Map(list('attacks').map((each) => [nodeOf(String(each)), each]))
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Classification
        </Title>
        <Select
          openOnFocus={false}
          label="TLP"
          data={TLP}
          clearable
          value={typeof meta.tlp_color === 'string' ? meta.tlp_color : null}
          onChange={(colour) => set(['meta', 'tlp_color'], colour ?? undefined)}
          error={wrong('tlp_color')}
        />
        {confidence && (
          <SchemaField
            path={['data', 'confidence']}
            schema={confidence.schema}
            value={data.confidence}
            faults={faultsInside(faults, ['data', 'confidence'])}
            set={set}
          />
        )}
        <TagsField
          value={list('tags').map(String)}
          onChange={(tags) => set(['meta', 'tags'], tags)}
          error={wrong('tags')}
        />
        <TaxonomyField
          value={list('taxonomies')}
          onChange={(nodes) => set(['meta', 'taxonomies'], nodes)}
          error={wrong('taxonomies')}
        />
        <TagsInput
          openOnFocus={false}
          label="ATT&CK"
          placeholder={attacks.size === 0 ? 'TA0001:T1566' : ''}
          value={[...attacks.keys()]}
          onChange={(ids) =>
            set(
              ['meta', 'attacks'],
              ids.map((id) => attacks.get(id) ?? id),
            )
          }
          acceptValueOnBlur
          error={wrong('attacks')}
        />
        <SourceField
          value={source}
          onChange={(id) => set(['source'], id)}
          error={faultText(faultsInside(faults, ['sources']), ['sources'])}
        />
        {PLAIN.map((name) => {
          const schema = fields[name]
          const label = LABELS[name]
          if (!schema) return null
          return (
            <SchemaField
              key={name}
              path={['meta', name]}
              schema={schema}
              value={meta[name]}
              faults={faultsInside(faults, ['meta', name])}
              set={set}
              {...(label && { label })}
            />
          )
        })}
      </Stack>
    </Paper>
  )
}
