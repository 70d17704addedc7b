import { type InputWrapperProps, MultiSelect, Select } from '@mantine/core'
import { type NamedCollection, nameOf, useNames } from '../api/names.ts'
import { inSentence } from './in-sentence.ts'

interface CommonProps {
  readonly of: NamedCollection
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly required?: boolean
  readonly disabled?: boolean
  /** The order of label, input, description and error; the description comes first unless given. */
  readonly inputWrapperOrder?: NonNullable<InputWrapperProps['inputWrapperOrder']>
}

interface NameSelectProps extends CommonProps {
  /** The id of the selected object; empty for none. */
  readonly value: string
  readonly onChange: (id: string) => void
  readonly w?: number
  /** Whether the label is only announced by screen readers, as in a row of filters. */
  readonly isBare?: boolean
}

const byName = ([, a]: [string, string], [, b]: [string, string]) => a.localeCompare(b)

function useOptions(of: NamedCollection, chosen: readonly string[]) {
  const names = useNames(of)
  // Selected ids stay selected even if their names are not readable.
  const all = new Map([...names, ...chosen.map((id) => [id, nameOf(names, `${of}/${id}`)] as const)])
  return [...all].sort(byName).map(([value, label]) => ({ value, label }))
}

/** Selects one object of a collection by name. */
export function NameSelect({ of, value, onChange, label, isBare = false, ...rest }: NameSelectProps) {
  const data = useOptions(of, value === '' ? [] : [value])
  return (
    <Select
      {...rest}
      {...(isBare ? { 'aria-label': label } : { label })}
      data={data}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      searchable
      clearable={!rest.required}
      limit={200}
      nothingFoundMessage="No matches"
      clearButtonProps={{ 'aria-label': `Clear ${inSentence(label)}` }}
    />
  )
}

interface NamesSelectProps extends CommonProps {
  readonly value: readonly string[]
  readonly onChange: (ids: string[]) => void
}

/** Selects several objects of a collection by name. */
export function NamesSelect({ of, value, onChange, ...rest }: NamesSelectProps) {
  const data = useOptions(of, value)
  return (
    <MultiSelect
      {...rest}
      data={data}
      value={[...value]}
      onChange={onChange}
      searchable
      clearable
      hidePickedOptions
      limit={200}
      nothingFoundMessage="No matches"
      clearButtonProps={{ 'aria-label': `Clear ${inSentence(rest.label)}` }}
    />
  )
}
