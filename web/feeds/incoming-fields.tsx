import { Select, SimpleGrid, Switch, TagsInput, Text } from '@mantine/core'
import { READABLE_URNS } from '../domain/content-types.ts'
import { TLP_OPTIONS } from '../domain/tlp.ts'
import type { FeedFieldsProps } from './feed-form-values.ts'

const TRANSFERS = [
  { value: 'APPEND', label: 'New and changed objects' },
  { value: 'REPLACE', label: 'Complete content' },
  { value: 'DIFF', label: 'Added and removed rows (CSV)' },
]
const WITHDRAWALS = [
  { value: 'mark', label: 'Mark as withdrawn' },
  { value: 'keep', label: 'Keep unchanged' },
  { value: 'delete', label: 'Delete' },
]

/** The fields of incoming feeds: how content is read, and what is applied to it. */
export function IncomingFields({ values, set, faults }: FeedFieldsProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        Applied to imported intelligence
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TagsInput label="Tags" value={[...values.tags]} error={faults.tags} onChange={(tags) => set({ tags })} />
        <Select
          label="TLP override"
          data={TLP_OPTIONS}
          clearable
          value={values.tlp || null}
          error={faults.tlp_color_override}
          onChange={(value) => set({ tlp: value ?? '' })}
        />
        <Select
          label="Reliability"
          data={['A', 'B', 'C', 'D', 'E', 'F']}
          clearable
          value={values.reliability || null}
          error={faults.source_reliability}
          onChange={(value) => set({ reliability: value ?? '' })}
        />
        <Select
          label="Content type"
          description="Required only if the format cannot be detected from the content."
          data={READABLE_URNS}
          clearable
          value={values.contentType || null}
          error={faults.content_type}
          onChange={(value) => set({ contentType: value ?? '' })}
        />
      </SimpleGrid>
      <Text size="sm" fw={600}>
        Withdrawn intelligence
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Content per transfer"
          description="With “Complete content”, entities that are missing from a transfer count as withdrawn."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={TRANSFERS}
          value={values.strategy}
          error={faults.update_strategy}
          allowDeselect={false}
          onChange={(value) => set({ strategy: value ?? values.strategy })}
        />
        <Select
          label="Withdrawn entities"
          description="Tags, observables and relationships that the source withdrew are always removed."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={WITHDRAWALS}
          value={values.withdrawn}
          error={faults.withdrawn}
          allowDeselect={false}
          onChange={(value) => set({ withdrawn: value ?? values.withdrawn })}
        />
      </SimpleGrid>
      <Switch
        label="Require a valid signature"
        checked={values.needsSignature}
        onChange={({ currentTarget }) => set({ needsSignature: currentTarget.checked })}
      />
    </>
  )
}
