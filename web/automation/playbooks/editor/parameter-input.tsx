import { Button, Group, Menu, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { use, useRef } from 'react'
import type { Schema } from '../../../api/schema.ts'
import { CONTENT_TYPES } from '../../../domain/content-types.ts'
import { entityTypeName } from '../../../domain/entity-types.ts'
import { TLP_OPTIONS } from '../../../domain/tlp.ts'
import { type FieldFault, faultText } from '../../../forms/field-faults.ts'
import { SchemasContext } from '../../../forms/input-props.ts'
import { labelOf } from '../../../forms/labels.ts'
import { optionsOf } from '../../../forms/options-of.ts'
import type { Path } from '../../../forms/paths.ts'
import { SchemaField } from '../../../forms/schema-field.tsx'
import type { SetValue } from '../../../forms/use-draft.ts'
import { SecretInput } from '../../../generic/secret-input.tsx'
import { isSecretStored } from '../../../generic/values.ts'
import { TagsField } from '../../../intelligence/entity/tags-field.tsx'
import { inSentence } from '../../../ui/in-sentence.ts'
import type { Step } from '../playbook.ts'
import { isSecret, referenceField } from '../references.ts'
import { ReferenceInput } from './reference-input.tsx'

interface ParameterInputProps {
  readonly name: string
  readonly schema: Schema
  readonly path: Path
  readonly value: unknown
  readonly isRequired: boolean
  /** Whether it is a text with placeholders. */
  readonly isTemplate: boolean
  readonly earlier: readonly Step[]
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
}

/** Where the name of a parameter does not say enough; the label then says what its description does. */
const LABELS: Readonly<Record<string, string>> = {
  added_taxonomies: 'Add taxonomies',
  removed_taxonomies: 'Remove taxonomies',
  added_attacks: 'Add ATT&CK nodes',
  removed_attacks: 'Remove ATT&CK nodes',
  tlp_color: 'TLP',
  max_tlp: 'Maximum TLP',
}

/** The input for a parameter of a step, chosen by its schema. */
export function ParameterInput(props: ParameterInputProps) {
  const { name, schema, path, value, isRequired, isTemplate, faults, set } = props
  const schemas = use(SchemasContext)
  const label = LABELS[name] ?? labelOf(name)
  const error = faultText(faults, path)
  const onChange = (next: unknown) => set(path, next)
  const common = { label, description: schema.description, error, withAsterisk: isRequired }
  const field = referenceField(schema)
  if (field)
    return (
      <ReferenceInput
        {...{ field, label, error, isRequired, value, onChange }}
        description={name in LABELS ? undefined : schema.description}
      />
    )
  if (isTemplate) return <TemplateText {...props} label={label} error={error} />
  if (isSecret(schema)) return <Secret {...props} label={label} error={error} />
  if (name === 'added' || name === 'removed' || name === 'tags')
    return (
      <TagsField
        label={name === 'tags' ? label : name === 'added' ? 'Add tags' : 'Remove tags'}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={onChange}
        error={error}
      />
    )
  const options = optionsOf(schemas, schema)
  const choices = named(name, options.flatMap((option) => option.enum ?? []).map(String))
  if (choices)
    return (
      <Select
        {...common}
        openOnFocus={false}
        data={choices}
        searchable={choices.length > 8}
        clearable={!isRequired}
        placeholder={isRequired ? 'Choose' : 'Not set'}
        value={typeof value === 'string' ? value : null}
        onChange={(next) => onChange(next ?? (schema.default === undefined ? undefined : null))}
      />
    )
  if (options.length === 1 && options[0]?.type === 'boolean' && typeof schema.default === 'boolean')
    return (
      <Switch
        label={label}
        description={schema.description}
        checked={typeof value === 'boolean' ? value : schema.default}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    )
  return <SchemaField {...{ path, schema, value, faults, set, isRequired, label }} />
}

/** The choices of a parameter with the names that people know. */
function named(name: string, values: readonly string[]) {
  if (name === 'tlp_color' || name === 'max_tlp')
    return TLP_OPTIONS.filter(({ value }) => values.includes(value) || (value === 'WHITE' && values.includes('CLEAR')))
  if (name === 'content_type') return CONTENT_TYPES.map(({ urn, doc }) => ({ value: urn, label: doc }))
  if (name === 'type') return values.map((value) => ({ value, label: entityTypeName(value) }))
  return values.length > 0 && name !== 'types' && name !== 'with_verdict'
    ? values.map((value) => ({ value, label: labelOf(value.toLowerCase()) }))
    : undefined
}

interface LabelledProps extends ParameterInputProps {
  readonly label: string
  readonly error: string | undefined
}

const PLACEHOLDERS: readonly (readonly [text: string, meaning: string])[] = [
  ['{title}', 'Its title, value or name'],
  ['{type}', 'Its type'],
  ['{id}', 'Its ID'],
  ['{url}', 'The address of its page'],
  ['{source}', 'Its source'],
  ['{tlp}', 'Its TLP colour'],
  ['{playbook}', 'The name of this playbook'],
]

/** A text with placeholders, which a menu inserts at the cursor. */
function TemplateText({ name, schema, path, value, isRequired, earlier, set, label, error }: LabelledProps) {
  const place = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const text = typeof value === 'string' ? value : ''
  const insert = (inserted: string) => {
    const from = place.current?.selectionStart ?? text.length
    set(path, `${text.slice(0, from)}${inserted}${text.slice(place.current?.selectionEnd ?? from)}`)
  }
  const ticket = earlier
    .filter(({ kind }) => kind === 'ticket')
    .map(({ id }): [string, string] => [`{steps.${id}.ticket}`, 'The number of the ticket'])
  const common = {
    label,
    description: schema.description,
    error,
    withAsterisk: isRequired,
    value: text,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(path, currentTarget.value),
  }
  return (
    <div>
      {['description', 'text', 'message'].includes(name) ? (
        <Textarea {...common} ref={place} autosize minRows={2} maxRows={12} />
      ) : (
        <TextInput {...common} ref={place} />
      )}
      <Group mt={4}>
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button size="compact-xs" variant="subtle" aria-label={`Insert placeholder into ${inSentence(label)}`}>
              Insert placeholder
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {[...PLACEHOLDERS, ...ticket].map(([inserted, meaning]) => (
              <Menu.Item
                key={inserted}
                onClick={() => insert(inserted)}
                rightSection={<span className="code">{inserted}</span>}
              >
                {meaning}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </div>
  )
}

/** A secret, which is never shown again. */
function Secret({ name, schema, path, value, isRequired, set, label, error }: LabelledProps) {
  // What is stored is a token, which stays until the user types a secret or removes it.
  const stored = useRef(isSecretStored(value) ? value : undefined)
  return (
    <SecretInput
      field={{
        name,
        label,
        kind: 'secret',
        isRequired,
        isNullable: true,
        isReadOnly: false,
        ...(schema.description && { description: schema.description }),
      }}
      value={isSecretStored(value) ? '' : value === null && stored.current === undefined ? '' : value}
      stored={stored.current}
      onChange={(next) => set(path, next === '' ? (stored.current ?? null) : next)}
      faults={error === undefined ? {} : { [name]: error }}
      path={name}
      isDisabled={false}
    />
  )
}
