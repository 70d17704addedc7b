import { Collapse, Stack, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { FieldInput } from '../generic/field-input.tsx'
import type { FieldModel } from '../generic/fields.ts'
import { useApi } from '../generic/use-api.ts'
import { type FormValues, formOf, pathsOf, sentOf } from '../generic/values.ts'
import type { FeedKind } from './feed-queries.ts'

type Stored = Readonly<Record<string, unknown>>

interface Settings {
  readonly fields: readonly FieldModel[]
  readonly stored: Stored | undefined
  readonly values: FormValues
  readonly paths: readonly string[]
  readonly set: (name: string, value: unknown) => void
  /** The settings to send; throws a `FormFault` if a value is invalid. */
  readonly sent: () => Stored
}

/** Settings of a feed without an input in its form, as described by the OpenAPI document. */
export function useMoreSettings(kind: FeedKind, own: readonly string[], stored: Stored | undefined): Settings {
  const { collections } = useApi()
  const [changed, setChanged] = useState<FormValues>({})
  const { inputs = [], changeable } = collections.get(`${kind}-feeds`) ?? {}
  const fields = inputs.filter(({ name }) => !own.includes(name) && (!stored || changeable?.has(name)))
  const begun = formOf(fields, stored)
  const values = { ...begun, ...changed }
  return {
    fields,
    stored,
    values,
    paths: pathsOf(fields),
    set: (name, value) => setChanged((before) => ({ ...before, [name]: value })),
    sent: () => sentOf(fields, values, begun, stored === undefined),
  }
}

interface MoreSettingsProps {
  readonly settings: Settings
  readonly faults: Readonly<Record<string, string>>
}

/** Rarely used settings, collapsed unless one of them has an error. */
export function MoreSettings({ settings: { fields, stored, values, paths, set }, faults }: MoreSettingsProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const isShown = isOpen || paths.some((path) => faults[path] !== undefined)
  if (fields.length === 0) return null
  return (
    <>
      <UnstyledButton fz="sm" c="var(--mantine-color-anchor)" aria-expanded={isShown} onClick={toggle}>
        {isShown ? 'Hide advanced settings' : 'Show advanced settings'}
      </UnstyledButton>
      <Collapse expanded={isShown}>
        <Stack gap="sm">
          {fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values[field.name]}
              stored={stored?.[field.name]}
              onChange={(value) => set(field.name, value)}
              faults={faults}
              path={field.name}
            />
          ))}
        </Stack>
      </Collapse>
    </>
  )
}
