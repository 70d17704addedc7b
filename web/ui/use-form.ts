import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type SortedFaults, sortFaults } from './faults.tsx'

type Values = Readonly<Record<string, string>>

/** The state of a form with text values: values, errors and submission. */
export interface Form<V extends Values, R> {
  readonly values: V
  readonly faults: SortedFaults
  readonly isSending: boolean
  readonly mutation: UseMutationResult<R, Error, V>
  /** Props for the input of a field. */
  field(name: keyof V & string): {
    readonly name: string
    readonly value: string
    readonly error: string | undefined
    readonly onChange: (event: { currentTarget: { value: string } }) => void
  }
  readonly onSubmit: (event: FormEvent) => void
  reset(): void
}

/** Keeps the input until the server has accepted it, so that a rejected form loses nothing. */
export function useForm<V extends Values, R>(
  initial: V,
  send: (values: V) => Promise<R>,
  done?: (result: R, values: V) => void,
): Form<V, R> {
  const [values, setValues] = useState(initial)
  const mutation = useMutation<R, Error, V>({ mutationFn: send, ...(done && { onSuccess: done }) })
  const faults = sortFaults(mutation.error, Object.keys(initial))
  return {
    values,
    faults,
    isSending: mutation.isPending,
    mutation,
    field: (name) => ({
      name,
      value: values[name] ?? '',
      error: faults.fields[name],
      onChange: ({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value })),
    }),
    onSubmit: (event) => {
      event.preventDefault()
      if (!mutation.isPending) mutation.mutate(values)
    },
    reset: () => {
      setValues(initial)
      mutation.reset()
    },
  }
}
