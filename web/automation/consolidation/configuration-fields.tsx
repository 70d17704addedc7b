import { type InputWrapperProps, MultiSelect, Select, SimpleGrid, Stack } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { NameSelect, NamesSelect } from '../../ui/name-select.tsx'
import { CONSOLIDATED_TYPES } from './policy.ts'
import type { ConfigurationValues } from './policy-values.ts'
import { type Choice, choiceOf, HALF_LIFE_CHOICES, preferenceInWords, TLP_CHOICES } from './policy-words.ts'

/** Descriptions of different lengths do not move the inputs of a row apart. */
const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error']

interface ConfigurationFieldsProps {
  readonly values: ConfigurationValues
  readonly set: (change: Partial<ConfigurationValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

/** The inputs of a configuration; each choice says what it means. */
export function ConfigurationFields({ values, set, faults }: ConfigurationFieldsProps) {
  const sources = useNames('sources')
  const preferred = values.preferredSource === '' ? undefined : nameOf(sources, `sources/${values.preferredSource}`)
  return (
    <Stack gap="sm">
      <MultiSelect
        label="Entity types"
        required
        placeholder={values.entityTypes.length === 0 ? 'Choose types' : ''}
        data={CONSOLIDATED_TYPES.map((value) => ({ value, label: entityTypeName(value) }))}
        value={[...values.entityTypes]}
        error={faults.entity_types}
        onChange={(entityTypes) => set({ entityTypes })}
        searchable
        clearable
        hidePickedOptions
        clearButtonProps={{ 'aria-label': 'Clear entity types' }}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NamesSelect
          of="sources"
          label="Sources"
          description="Only entities of these sources are compared."
          inputWrapperOrder={ORDER}
          placeholder={values.sources.length === 0 ? 'All sources' : ''}
          value={values.sources}
          error={faults.sources}
          onChange={(chosen) => set({ sources: chosen })}
        />
        <NameSelect
          of="sources"
          label="Preferred source"
          description={preferenceInWords(preferred)}
          inputWrapperOrder={ORDER}
          placeholder="None"
          value={values.preferredSource}
          error={faults.preferred_source}
          onChange={(preferredSource) => set({ preferredSource })}
        />
        <ChoiceSelect
          label="TLP"
          choices={TLP_CHOICES}
          value={values.tlp}
          error={faults.tlp_choice}
          onChange={(tlp) => set({ tlp })}
        />
        <ChoiceSelect
          label="Half-life"
          choices={HALF_LIFE_CHOICES}
          value={values.halfLife}
          error={faults.half_life_choice}
          onChange={(halfLife) => set({ halfLife })}
        />
      </SimpleGrid>
    </Stack>
  )
}

interface ChoiceSelectProps<T extends string> {
  readonly label: string
  readonly choices: readonly Choice<T>[]
  readonly value: T
  readonly error: string | undefined
  readonly onChange: (value: T) => void
}

function ChoiceSelect<T extends string>({ label, choices, value, error, onChange }: ChoiceSelectProps<T>) {
  return (
    <Select
      label={label}
      description={choiceOf(choices, value)?.meaning}
      inputWrapperOrder={ORDER}
      data={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
      value={value}
      error={error}
      allowDeselect={false}
      onChange={(chosen) => {
        const choice = choices.find((each) => each.value === chosen)
        if (choice) onChange(choice.value)
      }}
    />
  )
}
