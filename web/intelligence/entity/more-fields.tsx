import { Button, Collapse, Stack } from '@mantine/core'
import { useState } from 'react'
import { type FieldFault, faultsInside, faultText } from '../../forms/field-faults.ts'
import { FieldGrid } from '../../forms/field-grid.tsx'
import type { Drawn } from '../../forms/field-kind.ts'
import { JsonField } from '../../forms/json-field.tsx'
import type { Document } from '../../forms/paths.ts'
import type { SetValue } from '../../forms/use-draft.ts'

interface MoreFieldsProps {
  readonly fields: readonly Drawn[]
  /** All fields of the type; other properties are kept and shown as JSON. */
  readonly known: readonly Drawn[]
  readonly data: Document
  readonly faults: readonly FieldFault[]
  readonly set: SetValue
}

/** Rarely used fields, collapsed unless one of them has an error. */
export function MoreFields({ fields, known, data, faults, set }: MoreFieldsProps) {
  const names = ['type', ...known.map(({ name }) => name)]
  const isOther = ([name]: [string, unknown]) => !names.includes(name)
  const others = Object.fromEntries(Object.entries(data).filter(isOther))
  const hasOthers = Object.keys(others).length > 0
  const inside = [...fields.map(({ name }) => name), ...Object.keys(others)]
  const isWrong = inside.some((name) => faultsInside(faults, ['data', name]).length > 0)
  const [isOpen, setIsOpen] = useState(hasOthers)
  const isShown = isOpen || isWrong
  return (
    <div>
      <Button variant="subtle" size="compact-sm" aria-expanded={isShown} onClick={() => setIsOpen(!isShown)}>
        {isShown ? 'Show fewer fields' : 'Show more fields'}
      </Button>
      <Collapse expanded={isShown}>
        {isShown && (
          <Stack gap="sm" mt="sm">
            <FieldGrid fields={fields} value={data} path={['data']} faults={faults} set={set} />
            <JsonField
              label="Other properties"
              description="Properties that have no field in this form are kept unchanged."
              withAsterisk={false}
              mustBeObject
              value={hasOthers ? others : undefined}
              error={faultText(
                Object.keys(others).flatMap((name) => faultsInside(faults, ['data', name])),
                ['data'],
              )}
              onChange={(next) => {
                const own = Object.entries(data).filter((entry) => !isOther(entry))
                set(['data'], { ...Object.fromEntries(own), ...((next ?? {}) as Document) })
              }}
            />
          </Stack>
        )}
      </Collapse>
    </div>
  )
}
