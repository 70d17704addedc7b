import { Checkbox, MultiSelect, Paper, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listQuery } from '../../api/lists.ts'
import type { Dataset } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { TLP_OPTIONS } from '../../domain/tlp.ts'
import { TaxonomyField } from '../../intelligence/entity/reference-fields.tsx'
import { TagsField } from '../../intelligence/entity/tags-field.tsx'
import { ACTIONS, type ActionName, CONVERSION_TARGETS } from './entity-rule.ts'
import type { RuleValues } from './rule-values.ts'

interface ActionFieldsProps {
  readonly values: RuleValues
  readonly set: (change: Partial<RuleValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

/** The actions of a rule; each chosen action shows its own fields. */
export function ActionFields(props: ActionFieldsProps) {
  const { values, set, faults } = props
  const toggle = (action: ActionName, isChosen: boolean) => {
    const others = values.actions.filter((each) => each !== action)
    set({ actions: isChosen ? [...others, action] : others })
  }
  return (
    <Checkbox.Group label="Actions" withAsterisk value={[...values.actions]} error={faults.actions}>
      <Stack gap="xs" mt={4}>
        {ACTIONS.map(({ value, label }) => {
          const isChosen = values.actions.includes(value)
          return (
            <Paper key={value} withBorder p="sm">
              <Checkbox
                value={value}
                label={label}
                checked={isChosen}
                onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
              />
              {isChosen && (
                <Stack gap="sm" mt="sm">
                  {FIELDS[value](props)}
                </Stack>
              )}
            </Paper>
          )
        })}
      </Stack>
    </Checkbox.Group>
  )
}

const FIELDS: Readonly<Record<ActionName, (props: ActionFieldsProps) => ReactNode>> = {
  add_tags: ({ values, set, faults }) => (
    <>
      <TagsField value={values.addTags} error={faults.add_tags} onChange={(addTags) => set({ addTags })} />
      <TaxonomyField
        value={values.addTaxonomies}
        error={faults.add_taxonomies}
        onChange={(addTaxonomies) => set({ addTaxonomies })}
      />
    </>
  ),
  remove_tags: ({ values, set, faults }) => (
    <>
      <TagsField value={values.removeTags} error={faults.remove_tags} onChange={(removeTags) => set({ removeTags })} />
      <TaxonomyField
        value={values.removeTaxonomies}
        error={faults.remove_taxonomies}
        onChange={(removeTaxonomies) => set({ removeTaxonomies })}
      />
    </>
  ),
  override_tlp: ({ values, set, faults }) => (
    <Select
      label="TLP colour"
      description="Replaces any colour, also a more restrictive one. If several rules set one, the most restrictive is used."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={TLP_OPTIONS}
      value={values.tlp || null}
      error={faults.override_tlp}
      onChange={(tlp) => set({ tlp: tlp ?? '' })}
    />
  ),
  add_to_set: (props) => <DatasetField {...props} />,
  set_alias: ({ values, set, faults }) => (
    <>
      <TextInput
        label="Alias template"
        description="{title}, {type} and {source} are replaced, as are the named groups of the pattern below."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="{title} ({source})"
        value={values.alias}
        error={faults.alias_formatting_template}
        onChange={({ currentTarget }) => set({ alias: currentTarget.value })}
      />
      <TextInput
        label="Title pattern"
        description="Optional regular expression on the title, such as ^(?P<family>\w+) loader. Its group is used as {family}."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        classNames={{ input: 'code' }}
        value={values.titlePattern}
        error={faults.title_pattern}
        onChange={({ currentTarget }) => set({ titlePattern: currentTarget.value })}
      />
    </>
  ),
  convert_to_vendorjson2: ({ values, set, faults }) => (
    <Select
      label="New type"
      description="The entity keeps its id and its versions. Entities whose fields do not fit the new type stay unchanged."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={CONVERSION_TARGETS.map((value) => ({ value, label: entityTypeName(value) }))}
      value={values.target || null}
      error={faults.vendorjson2_entity_type}
      onChange={(target) => set({ target: target ?? '' })}
    />
  ),
}

const MAX_DATASETS = 2_000

/** Static datasets: the contents of others follow from their queries. */
function DatasetField({ values, set, faults }: ActionFieldsProps) {
  const canRead = useMay()('read intel-sets')
  const found = useQuery({
    ...listQuery<Pick<Dataset, 'id' | 'name'>>('datasets', {
      'filter[is_dynamic]': false,
      attributes: 'id,name',
      sort: 'name',
      limit: MAX_DATASETS,
    }),
    enabled: canRead,
  })
  const known = (found.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: defangText(name) }))
  const missing = values.datasets.filter((id) => !known.some(({ value }) => value === id))
  return (
    <MultiSelect
      label="Datasets"
      description="Only static datasets can be filled by a rule."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...known, ...missing.map((id) => ({ value: id, label: `Dataset ${id}` }))]}
      value={[...values.datasets]}
      error={faults.datasets}
      onChange={(datasets) => set({ datasets })}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage="No matches"
      clearButtonProps={{ 'aria-label': 'Clear datasets' }}
    />
  )
}
