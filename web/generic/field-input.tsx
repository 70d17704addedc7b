import {
  Checkbox,
  Fieldset,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMay } from '../api/session.ts'
import { inSentence } from '../ui/in-sentence.ts'
import type { FieldModel } from './fields.ts'
import { ReferenceInput, ReferencesInput } from './reference-input.tsx'
import { SecretInput } from './secret-input.tsx'
import { type FormValues, formOf } from './values.ts'

/** The props of an input for a field. */
export interface FieldInputProps {
  readonly field: FieldModel
  readonly value: unknown
  /** The stored value, if there is one. */
  readonly stored?: unknown
  readonly onChange: (value: unknown) => void
  /** Validation errors by field path. */
  readonly faults: Readonly<Record<string, string>>
  readonly path: string
}

/** The input for a field, depending on its kind. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange, faults, path } = props
  const may = useMay()
  const isDisabled = field.permission !== undefined && !may(field.permission)
  const common = {
    label: field.label,
    description: isDisabled ? `Requires the permission “${field.permission}”.` : field.description,
    withAsterisk: field.isRequired && !field.isNullable,
    error: faults[path],
    disabled: isDisabled,
  }
  switch (field.kind) {
    case 'boolean':
      return <Truth {...common} field={field} value={value} onChange={onChange} />
    case 'number':
      return (
        <NumberInput
          {...common}
          value={value as number | string}
          onChange={onChange}
          allowDecimal={!field.isInteger}
          placeholder={boundsOf(field)}
          maw={260}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          data={(field.choices ?? []).filter((choice) => choice !== '')}
          value={(value as string | null) || null}
          onChange={onChange}
          searchable={(field.choices?.length ?? 0) > 8}
          clearable={field.isNullable}
          allowDeselect={field.isNullable}
          {...(field.notes && { renderOption: ({ option }) => <Noted choice={option.value} field={field} /> })}
          {...(field.notes && !isDisabled && { description: field.notes[String(value)] })}
        />
      )
    case 'choices':
      return (
        <MultiSelect {...common} data={field.choices ?? []} value={value as string[]} onChange={onChange} searchable />
      )
    case 'texts':
      return (
        <TagsInput
          {...common}
          value={value as string[]}
          onChange={onChange}
          placeholder="Type a value and press Enter"
          acceptValueOnBlur
          splitChars={[]}
        />
      )
    case 'reference':
      return (
        <ReferenceInput
          field={field}
          value={value as string | null}
          onChange={onChange}
          error={common.error}
          isDisabled={isDisabled}
        />
      )
    case 'references':
      return (
        <ReferencesInput
          field={field}
          value={value as string[]}
          onChange={onChange}
          error={common.error}
          isDisabled={isDisabled}
        />
      )
    case 'secret':
      return <SecretInput {...props} isDisabled={isDisabled} />
    case 'time':
      return <TimeInput {...common} value={String(value ?? '')} onChange={onChange} />
    case 'document':
      return <DocumentInput {...props} />
    default:
      return <TextArea {...common} field={field} value={String(value ?? '')} onChange={onChange} />
  }
}

const Noted = ({ choice, field }: { readonly choice: string; readonly field: FieldModel }) => (
  <div>
    <Text size="sm">{choice}</Text>
    <Text size="xs" c="dimmed">
      {field.notes?.[choice]}
    </Text>
  </div>
)

interface CommonProps {
  readonly label: string
  readonly description: string | undefined
  readonly withAsterisk: boolean
  readonly error: string | undefined
  readonly disabled: boolean
  readonly onChange: (value: unknown) => void
}

function Truth({
  field,
  value,
  onChange,
  withAsterisk: _,
  ...common
}: CommonProps & { readonly field: FieldModel; readonly value: unknown }) {
  if (field.isNullable)
    return (
      <Checkbox
        {...common}
        checked={value === true}
        indeterminate={value === null}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  return <Switch {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
}

function TextArea({
  field,
  onChange,
  ...common
}: CommonProps & { readonly field: FieldModel; readonly value: string }) {
  const change = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  if (field.kind === 'text') return <TextInput {...common} onChange={change} />
  const isJson = field.kind === 'json'
  return (
    <Textarea
      {...common}
      onChange={change}
      autosize
      minRows={isJson ? 3 : 1}
      maxRows={18}
      {...(isJson && { classNames: { input: 'code' }, spellCheck: false, placeholder: 'JSON' })}
    />
  )
}

/** A time in UTC, as everywhere in the product. */
function TimeInput({ value, onChange, label, ...common }: CommonProps & { readonly value: string }) {
  const local = value === '' ? '' : new Date(value).toISOString().slice(0, 16)
  return (
    <TextInput
      {...common}
      label={`${label} (UTC)`}
      type="datetime-local"
      value={local}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? '' : `${currentTarget.value}:00Z`)}
      maw={260}
    />
  )
}

/** The fields of a nested document in a fieldset; an optional one can be switched off. */
function DocumentInput({ field, value, stored, onChange, faults, path }: FieldInputProps) {
  const values = value as FormValues | null
  const inner = field.fields ?? []
  const isAbsent = values === null
  return (
    <Fieldset legend={field.label} {...(field.description && { 'aria-description': field.description })}>
      <Stack gap="sm">
        {field.isNullable && (
          <Checkbox
            label={`Set ${inSentence(field.label)}`}
            checked={!isAbsent}
            description={field.description}
            error={faults[path]}
            onChange={(event) => onChange(event.currentTarget.checked ? formOf(inner) : null)}
          />
        )}
        {!isAbsent &&
          inner.map((each) => (
            <FieldInput
              key={each.name}
              field={each}
              value={values[each.name]}
              stored={(stored as Record<string, unknown> | null | undefined)?.[each.name]}
              onChange={(next) => onChange({ ...values, [each.name]: next })}
              faults={faults}
              path={`${path}.${each.name}`}
            />
          ))}
      </Stack>
    </Fieldset>
  )
}

const boundsOf = ({ minimum, maximum }: FieldModel): string => {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `${minimum} or more`
  return maximum === undefined ? '' : `Up to ${maximum}`
}
