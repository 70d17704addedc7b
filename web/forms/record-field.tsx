import { ActionIcon, Button, Fieldset, Group, Input, Paper, Stack } from '@mantine/core'
import { use } from 'react'
import type { Schema } from '../api/schema.ts'
import { inSentence } from '../ui/in-sentence.ts'
import { type FieldFault, faultsInside, faultsOutside, faultText } from './field-faults.ts'
import { FieldGrid } from './field-grid.tsx'
import { emptyOf, type Kind, kindOf } from './field-kind.ts'
import { type InputProps, SchemasContext } from './input-props.ts'
import { isDocument, type Path, pathText } from './paths.ts'
import { SchemaField } from './schema-field.tsx'
import type { SetValue } from './use-draft.ts'

interface InsideProps extends InputProps {
  readonly path: Path
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
}

type RecordKind = Extract<Kind, { kind: 'record' }>

/** An optional record in a document; it exists once the user adds it. */
export function RecordField({
  label,
  description,
  value,
  onChange,
  kind,
  error,
  ...inside
}: InsideProps & { kind: RecordKind }) {
  if (!isDocument(value))
    return (
      <Input.Wrapper label={label} description={description} error={error} labelElement="div">
        <div>
          <Button size="compact-sm" variant="default" aria-label={`Add ${label}`} onClick={() => onChange(kind.fixed)}>
            Add
          </Button>
        </div>
      </Input.Wrapper>
    )
  return (
    <Fieldset legend={label}>
      <RecordFields value={value} kind={kind} {...inside} />
      <Button mt="sm" size="compact-sm" variant="subtle" color="red" onClick={() => onChange(undefined)}>
        Remove {inSentence(label)}
      </Button>
    </Fieldset>
  )
}

interface RecordFieldsProps extends Pick<InsideProps, 'path' | 'faults' | 'set'> {
  readonly value: Readonly<Record<string, unknown>>
  readonly kind: RecordKind
}

/** The fields of a record and its additional properties. */
function RecordFields({ value, kind: { fields, fixed }, path, faults, set }: RecordFieldsProps) {
  const known = [...fields.map(({ name }) => name), ...Object.keys(fixed)]
  const others = Object.keys(value).filter((name) => !known.includes(name))
  const left = faultsOutside(
    faults,
    [...known, ...others].map((name) => [...path, name]),
  )
  return (
    <Stack gap="sm">
      <Input.Error>{faultText(left, path)}</Input.Error>
      <FieldGrid
        fields={[...fields, ...others.map((name) => ({ name, schema: ANYTHING, isRequired: false }))]}
        value={value}
        path={path}
        faults={faults}
        set={set}
      />
    </Stack>
  )
}

const ANYTHING: Schema = {}

/** A list of records. */
export function ListField({
  label,
  description,
  value,
  onChange,
  path,
  item,
  faults,
  set,
}: InsideProps & { item: Schema }) {
  const schemas = use(SchemasContext)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const own = faultsOutside(
    faults,
    items.map((_, i) => [...path, i]),
  )
  const remove = (at: number) => {
    const left = items.filter((_, i) => i !== at)
    onChange(left.length > 0 ? left : undefined)
  }
  return (
    <Input.Wrapper label={label} description={description} error={faultText(own, path)} labelElement="div">
      <Stack gap="xs" mt={4}>
        {items.map((each, i) => (
          <ListItem
            key={pathText([...path, i])}
            label={`${label} ${i + 1}`}
            path={[...path, i]}
            item={item}
            value={each}
            faults={faults}
            set={set}
            onRemove={() => remove(i)}
          />
        ))}
        <div>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Add to ${label}`}
            onClick={() => onChange([...items, emptyOf(schemas, item)])}
          >
            Add
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}

interface ListItemProps extends Pick<InsideProps, 'label' | 'path' | 'value' | 'faults' | 'set'> {
  readonly item: Schema
  readonly onRemove: () => void
}

function ListItem({ label, path, item, value, faults, set, onRemove }: ListItemProps) {
  const schemas = use(SchemasContext)
  const kind = kindOf(schemas, item, '', value)
  const inside = faultsInside(faults, path)
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <Group align="flex-start" wrap="nowrap">
        <div style={{ flex: 1, minWidth: 0 }}>
          {kind.kind === 'record' && isDocument(value) ? (
            <RecordFields value={value} kind={kind} path={path} faults={inside} set={set} />
          ) : (
            <SchemaField path={path} schema={item} value={value} faults={inside} set={set} label={label} />
          )}
        </div>
        <ActionIcon variant="subtle" color="red" aria-label={`Remove ${label}`} onClick={onRemove}>
          ✕
        </ActionIcon>
      </Group>
    </Paper>
  )
}
