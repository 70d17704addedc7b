import { MultiSelect, Select, SimpleGrid, Switch, Text } from '@mantine/core'
import { CONSOLIDATIONS, helpOf } from '../domain/consolidation.ts'
import { CONTENT_TYPES } from '../domain/content-types.ts'
import { ENTITY_TYPES } from '../domain/entity-types.ts'
import { TLP_OPTIONS } from '../domain/tlp.ts'
import { NamesSelect } from '../ui/name-select.tsx'
import type { FeedFieldsProps } from './feed-form-values.ts'

const FORMATS = CONTENT_TYPES.map(({ urn, doc }) => ({ value: urn, label: doc }))
const STRATEGIES = [
  { value: 'REPLACE', label: 'Complete content' },
  { value: 'APPEND', label: 'New and changed objects' },
  { value: 'DIFF', label: 'Added and removed rows (CSV)' },
]
const TYPES = Object.entries(ENTITY_TYPES).map(([value, label]) => ({ value, label }))

/** The fields of outgoing feeds: content, format and access. */
export function OutgoingFields({ values, set, faults }: FeedFieldsProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        Published content
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NamesSelect
          of="datasets"
          label="Datasets"
          description="Without a dataset, nothing is published."
          value={values.datasets}
          error={faults.datasets}
          onChange={(datasets) => set({ datasets })}
        />
        <MultiSelect
          label="Entity types"
          description="Leave empty to include all types."
          data={TYPES}
          value={[...values.entityTypes]}
          error={faults.entity_types}
          onChange={(entityTypes) => set({ entityTypes })}
        />
        <Select
          label="Format"
          data={FORMATS}
          value={values.contentType}
          error={faults.content_type}
          allowDeselect={false}
          onChange={(value) => set({ contentType: value ?? values.contentType })}
        />
        <Select
          label="Content per block"
          data={STRATEGIES}
          value={values.strategy}
          error={faults.update_strategy}
          allowDeselect={false}
          onChange={(value) => set({ strategy: value ?? 'REPLACE' })}
        />
        <Select
          label="Consolidated entities"
          description={helpOf(values.consolidation)}
          data={CONSOLIDATIONS}
          value={values.consolidation}
          error={faults.consolidation}
          allowDeselect={false}
          onChange={(value) => set({ consolidation: value ?? values.consolidation })}
        />
        <Select
          label="TLP override"
          data={TLP_OPTIONS}
          clearable
          value={values.tlp || null}
          error={faults.tlp_color_override}
          onChange={(value) => set({ tlp: value ?? '' })}
        />
        <NamesSelect
          of="groups"
          label="Groups with access"
          value={values.groups}
          error={faults.authorised_groups}
          onChange={(groups) => set({ groups })}
        />
      </SimpleGrid>
      <Switch
        label="Include relationships"
        checked={values.hasRelationships}
        onChange={({ currentTarget }) => set({ hasRelationships: currentTarget.checked })}
      />
    </>
  )
}
