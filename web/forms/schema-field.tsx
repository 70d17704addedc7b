import { memo, type ReactNode, use } from 'react'
import type { Schema } from '../api/schema.ts'
import { ChoiceInput, NumberField, TextField, WordsInput, YesNoInput } from './basic-inputs.tsx'
import { type FieldFault, faultText } from './field-faults.ts'
import { kindOf } from './field-kind.ts'
import { type InputProps, SchemasContext } from './input-props.ts'
import { JsonField } from './json-field.tsx'
import { labelOf } from './labels.ts'
import { LongText } from './long-text.tsx'
import { type Path, pathText } from './paths.ts'
import { ListField, RecordField } from './record-field.tsx'
import { DayField, TimeField } from './time-field.tsx'
import type { SetValue } from './use-draft.ts'

export interface SchemaFieldProps {
  readonly path: Path
  readonly schema: Schema
  readonly value: unknown
  /** Validation errors at this field and inside it. */
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
  readonly isRequired?: boolean
  /** The label, if it differs from the field name. */
  readonly label?: string
}

/** An input for any schema. It re-renders only when its own value or errors change. */
export const SchemaField = memo(DrawnField, (before, after) => {
  const isElse = (name: keyof SchemaFieldProps) => name !== 'path' && before[name] !== after[name]
  const names = Object.keys(after) as (keyof SchemaFieldProps)[]
  return !names.some(isElse) && pathText(before.path) === pathText(after.path)
})

function DrawnField({ path, schema, value, faults, set, isRequired = false, label }: SchemaFieldProps): ReactNode {
  const schemas = use(SchemasContext)
  const name = String(path.at(-1))
  const kind = kindOf(schemas, schema, name, value)
  const input: InputProps = {
    label: label ?? schema.title ?? labelOf(name),
    description: schema.description,
    withAsterisk: isRequired,
    error: faultText(faults, path),
    value,
    onChange: (next) => set(path, next),
  }
  switch (kind.kind) {
    case 'text':
      return <TextField {...input} />
    case 'long-text':
      return <LongText {...input} />
    case 'time':
      return <TimeField {...input} />
    case 'day':
      return <DayField {...input} />
    case 'yes-no':
      return <YesNoInput {...input} />
    case 'number':
      return <NumberField {...input} {...kind} />
    case 'choice':
      return <ChoiceInput {...input} values={kind.values} isOpen={kind.isOpen} />
    case 'words':
      return <WordsInput {...input} values={kind.values} isOpen={kind.isOpen} />
    case 'record':
      return <RecordField {...input} path={path} kind={kind} faults={faults} set={set} />
    case 'list':
      return <ListField {...input} path={path} item={kind.item} faults={faults} set={set} />
    case 'json':
      return <JsonField {...input} />
  }
}
