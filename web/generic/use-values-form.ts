import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { sortFaults } from '../ui/faults.tsx'
import type { FieldModel } from './fields.ts'
import { FormFault, type FormValues, formOf, pathsOf, sentOf } from './values.ts'

type Stored = Readonly<Record<string, unknown>>

/** Holds the input of a form until the server has accepted it; sends only what has changed. */
export function useValuesForm<R>(
  fields: readonly FieldModel[],
  stored: Stored | undefined,
  send: (data: Stored) => Promise<R>,
  done: (result: R, data: Stored) => void,
) {
  const [initial] = useState(() => formOf(fields, stored))
  const [values, setValues] = useState<FormValues>(initial)
  const mutation = useMutation<{ result: R; data: Stored }, Error, FormValues>({
    mutationFn: async (now) => {
      const data = sentOf(fields, now, initial, stored === undefined)
      return { result: await send(data), data }
    },
    onSuccess: ({ result, data }) => done(result, data),
  })
  const refused = sortFaults(mutation.error instanceof FormFault ? null : mutation.error, pathsOf(fields))
  const faults = mutation.error instanceof FormFault ? mutation.error.faults : refused.fields
  return {
    values,
    faults,
    others: refused.others,
    isSending: mutation.isPending,
    isChanged: JSON.stringify(values) !== JSON.stringify(initial),
    set: (name: string, value: unknown) => setValues((before) => ({ ...before, [name]: value })),
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      if (!mutation.isPending) mutation.mutate(values)
    },
  }
}
