import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { Faults } from '../ui/faults.tsx'
import { FieldInput } from './field-input.tsx'
import type { FieldModel } from './fields.ts'
import { useValuesForm } from './use-values-form.ts'

type Stored = Readonly<Record<string, unknown>>

interface FieldsFormProps<R> {
  readonly fields: readonly FieldModel[]
  /** The stored object; absent for a new one. */
  readonly stored?: Stored | undefined
  readonly submit: string
  readonly send: (data: Stored) => Promise<R>
  readonly onDone: (result: R, data: Stored) => void
  readonly onCancel?: () => void
  /** Shown above the button, such as a warning. */
  readonly children?: ReactNode
}

/** A form for fields of the OpenAPI document; validation errors are shown at their fields. */
export function FieldsForm<R>({ fields, stored, submit, send, onDone, onCancel, children }: FieldsFormProps<R>) {
  const isDone = useRef(false)
  const form = useValuesForm(fields, stored, send, (result, data) => {
    isDone.current = true
    onDone(result, data)
  })
  useBlocker({
    shouldBlockFn: () => form.isChanged && !isDone.current && !window.confirm(LEAVE),
    enableBeforeUnload: () => form.isChanged && !isDone.current,
  })
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="md">
        <Faults texts={form.others} />
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={form.values[field.name]}
            stored={stored?.[field.name]}
            onChange={(value) => form.set(field.name, value)}
            faults={form.faults}
            path={field.name}
          />
        ))}
        {fields.length === 0 && <Text c="dimmed">This form has no fields.</Text>}
        {children}
        <Group>
          <Button type="submit" loading={form.isSending} disabled={stored !== undefined && !form.isChanged}>
            {submit}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          {Object.keys(form.faults).length > 0 && (
            <Text size="sm" c="red" role="alert">
              Correct the highlighted fields.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}

const LEAVE = 'Your changes have not been saved. Leave the page and discard them?'
