import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../api/call.ts'
import { isSame } from '../forms/paths.ts'
import { sortFaults } from '../ui/faults.tsx'
import { renewRules } from './rule-actions.ts'
import type { Rule, RuleKind } from './rule-kind.ts'

interface RuleFormOptions<V> {
  readonly kind: RuleKind
  /** The id of the rule to edit; absent for a new one. */
  readonly id?: number | undefined
  readonly initial: V
  /** The names of the fields that can show a validation error. */
  readonly fields: readonly string[]
  readonly bodyOf: (values: V) => unknown
  readonly onSaved: (rule: Rule) => void
}

/** The form of a rule: keeps the input until the server has accepted it, and shows its errors at their fields. */
export function useRuleForm<V extends object>({ kind, id, initial, fields, bodyOf, onSaved }: RuleFormOptions<V>) {
  const [begun] = useState(initial)
  const [values, setValues] = useState(initial)
  const isSaved = useRef(false)
  const saved = useMutation({
    mutationFn: async () => {
      const path = id === undefined ? kind.path : `${kind.path}/${id}`
      return (await call<{ data: Rule }>(id === undefined ? 'POST' : 'PATCH', path, { data: bodyOf(values) })).data
    },
    onSuccess: (rule) => {
      isSaved.current = true
      void renewRules(kind)
      onSaved(rule)
    },
  })
  return {
    values,
    set: (change: Partial<V>) => setValues((before) => ({ ...before, ...change })),
    ...sortFaults(saved.error, fields),
    isSending: saved.isPending,
    isChanged: () => !isSaved.current && !isSame(values, begun),
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      if (!saved.isPending) saved.mutate()
    },
  }
}
