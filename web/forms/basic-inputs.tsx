import { Autocomplete, MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import type { InputProps } from './input-props.ts'

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** Maps an empty text to undefined. */
const emptyToUndefined = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text)

/** A short text. */
export const TextField = ({ value, onChange, ...input }: InputProps) => (
  <TextInput
    {...input}
    value={textOf(value)}
    onChange={(event) => onChange(emptyToUndefined(event.currentTarget.value))}
  />
)

interface NumberFieldProps extends InputProps {
  readonly isWhole: boolean
  readonly least?: number
  readonly most?: number
}

/** A number. Values outside the bounds can be typed; the server explains what is wrong. */
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

/** Yes, no, or not set. */
export const YesNoInput = ({ value, onChange, ...input }: InputProps) => (
  <Select
    openOnFocus={false}
    {...input}
    clearable
    placeholder="Not set"
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

/** One of several values. */
export function ChoiceInput({ value, onChange, values, isOpen, ...input }: ValuesProps) {
  const text = textOf(value)
  if (isOpen)
    return (
      <Autocomplete
        openOnFocus={false}
        {...input}
        data={[...values]}
        value={text}
        onChange={(next) => onChange(emptyToUndefined(next))}
      />
    )
  // A value that is not an option is still shown: it was valid once, or needs to be corrected.
  const data = text === '' || values.includes(text) ? [...values] : [text, ...values]
  return (
    <Select
      openOnFocus={false}
      {...input}
      data={data}
      searchable={values.length > 8}
      clearable
      value={text === '' ? null : text}
      onChange={(next) => onChange(emptyToUndefined(next))}
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
