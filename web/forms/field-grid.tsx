import { Grid } from '@mantine/core'
import { use } from 'react'
import { type FieldFault, faultsInside } from './field-faults.ts'
import { type Drawn, kindOf } from './field-kind.ts'
import { SchemasContext } from './input-props.ts'
import type { Document, Path } from './paths.ts'
import { SchemaField } from './schema-field.tsx'
import type { SetValue } from './use-draft.ts'

interface FieldGridProps {
  readonly fields: readonly Drawn[]
  /** The document that contains the fields, and its path in the draft. */
  readonly value: Document
  readonly path: Path
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
}

const WIDE = ['list', 'record', 'json']

/** Fields in columns; wide ones take a full row. */
export function FieldGrid({ fields, value, path, faults, set }: FieldGridProps) {
  const schemas = use(SchemasContext)
  return (
    <Grid gap="sm">
      {fields.map(({ name, schema, isRequired }) => {
        const at = [...path, name]
        const { kind } = kindOf(schemas, schema, name, value[name])
        const isWide = kind === 'long-text' || (WIDE.includes(kind) && value[name] !== undefined)
        return (
          <Grid.Col key={name} span={{ base: 12, md: isWide ? 12 : 6 }}>
            <SchemaField
              path={at}
              schema={schema}
              value={value[name]}
              faults={faultsInside(faults, at)}
              set={set}
              isRequired={isRequired}
            />
          </Grid.Col>
        )
      })}
    </Grid>
  )
}
