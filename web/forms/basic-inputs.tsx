import { Autocomplete, MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import type { InputProps } from './input-props.ts'

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** A text that was emptied is none. */
const orNothing = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text)

/** A short text. */
export const TextField = ({ value, onChange, ...input }: InputProps) => (
  <TextInput {...input} value={textOf(value)} onChange={(event) => onChange(orNothing(event.currentTarget.value))} />
)

interface NumberFieldProps extends InputProps {
  readonly isWhole: boolean
  readonly least?: number
  readonly most?: number
}

/** A number; what is outside of its bounds can be typed, for the server says what is wrong with it. */
export const NumberField = ({ value, onChange, isWhole, least, most, ...input }: NumberFieldProps) => (
  <NumberInput
    label={input.label}
    description={input.description}
    withAsterisk={input.withAsterisk}
    error={input.error}
    value={typeof value === 'number' ? value : ''}
    allowDecimal={!isWhole}
    clampBehavior="none"
    {...(least !== undefined && { min: least })}
    {...(most !== undefined && { max: most })}
    onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
  />
)

/** Yes, no, or nothing said. */
export const YesNoInput = ({ value, onChange, ...input }: InputProps) => (
  <Select
    openOnFocus={false}
    {...input}
    clearable
    placeholder="Not said"
    data={[
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]}
    value={typeof value === 'boolean' ? String(value) : null}
    onChange={(next) => onChange(next === null ? undefined : next === 'true')}
  />
)

interface ValuesProps extends InputProps {
  readonly values: readonly string[]
  readonly isOpen: boolean
}

/** One of some values. */
export function ChoiceInput({ value, onChange, values, isOpen, ...input }: ValuesProps) {
  const text = textOf(value)
  if (isOpen)
    return (
      <Autocomplete
        openOnFocus={false}
        {...input}
        data={[...values]}
        value={text}
        onChange={(next) => onChange(orNothing(next))}
      />
    )
  // A value that is not among them is shown all the same: it was taken before, or is what has to be corrected.
  const data = text === '' || values.includes(text) ? [...values] : [text, ...values]
  return (
    <Select
      openOnFocus={false}
      {...input}
      data={data}
      searchable={values.length > 8}
      clearable
      value={text === '' ? null : text}
      onChange={(next) => onChange(orNothing(next))}
    />
  )
}

/** A list of words. */
export function WordsInput({ value, onChange, values, isOpen, ...input }: ValuesProps) {
  const words = Array.isArray(value) ? value.map(String) : []
  const change = (next: string[]) => onChange(next.length > 0 ? next : undefined)
  const all = [...new Set([...values, ...words])]
  if (!isOpen)
    return (
      <MultiSelect openOnFocus={false} {...input} data={all} searchable clearable value={words} onChange={change} />
    )
  return (
    <TagsInput
      openOnFocus={false}
      {...input}
      data={[...values]}
      clearable
      acceptValueOnBlur
      splitChars={[]}
      value={words}
      onChange={change}
    />
  )
}
