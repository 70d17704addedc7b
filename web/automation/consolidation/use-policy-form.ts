import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { isSame } from '../../forms/paths.ts'
import { sortFaults } from '../../ui/faults.tsx'
import { renewRules } from '../rule-actions.ts'
import { type Configuration, POLICIES, type Policy } from './policy.ts'
import {
  CONFIGURATION_FIELDS,
  type ConfigurationValues,
  newConfiguration,
  POLICY_FIELDS,
  policyBody,
  policyValues,
} from './policy-values.ts'
import { ConfigurationError, hasChanges, writeConfigurations } from './write-configurations.ts'

interface PolicyFormOptions {
  /** The policy to edit; absent for a new one. */
  readonly policy: Policy | undefined
  readonly configurations: readonly Configuration[]
  readonly onSaved: (policy: Policy) => void
}

/** The form of a policy and its configurations, which are written one after the other; input is kept until all are stored. */
export function usePolicyForm({ policy, configurations, onSaved }: PolicyFormOptions) {
  const [begun] = useState(() => policyValues(policy, configurations))
  const [values, setValues] = useState(begun)
  // What is stored: an attempt that failed half-way is continued, not repeated.
  const stored = useRef<{ policy: Policy | undefined; configurations: readonly ConfigurationValues[] }>({
    policy,
    configurations: policy ? begun.configurations : [],
  })
  const isSaved = useRef(false)
  const counter = useRef(0)
  const saved = useMutation({
    mutationFn: async () => {
      const isWriting = hasChanges(stored.current.configurations, values.configurations)
      const body = policyBody(values)
      // Inactive until all configurations are stored: with some of them, the policy would take unified entities apart.
      const data = await writePolicy(stored.current.policy, isWriting ? { ...body, is_active: false } : body)
      stored.current = { ...stored.current, policy: data }
      if (!isWriting) return data
      await writeConfigurations(data.id, stored.current.configurations, values.configurations, (now) => {
        stored.current = { ...stored.current, configurations: now }
        const ids = new Map(now.map(({ key, id }) => [key, id]))
        setValues((before) => ({ ...before, configurations: before.configurations.map((each) => withId(each, ids)) }))
      })
      return body.is_active ? await writePolicy(data, { is_active: true }) : data
    },
    onSuccess: (data) => {
      isSaved.current = true
      onSaved(data)
    },
    onSettled: () => renewRules(POLICIES),
  })
  const { error } = saved
  const isOfConfiguration = error instanceof ConfigurationError
  const ofPolicy = sortFaults(isOfConfiguration ? null : error, POLICY_FIELDS)
  const ofConfiguration = sortFaults(isOfConfiguration ? error.cause : null, CONFIGURATION_FIELDS)
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }))
  return {
    values,
    set,
    setConfiguration: (key: string, change: Partial<ConfigurationValues>) =>
      setValues((before) => ({
        ...before,
        configurations: before.configurations.map((each) => (each.key === key ? { ...each, ...change } : each)),
      })),
    addConfiguration: () => {
      const key = `new ${counter.current++}`
      setValues((before) => ({ ...before, configurations: [...before.configurations, newConfiguration(key, [])] }))
    },
    fields: { ...ofPolicy.fields, ...ofConfiguration.fields },
    faultsOf: (key: string) => (isOfConfiguration && error.key === key ? ofConfiguration.fields : {}),
    others: [
      ...ofPolicy.others,
      ...ofConfiguration.others,
      ...(isOfConfiguration && values.isActive
        ? ['The policy stays inactive until all of its configurations are saved.']
        : []),
    ],
    isSending: saved.isPending,
    isChanged: () => !isSaved.current && !isSame(values, begun),
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      if (!saved.isPending) saved.mutate()
    },
  }
}

async function writePolicy(known: Policy | undefined, body: Partial<ReturnType<typeof policyBody>>): Promise<Policy> {
  const { data } = await (known
    ? call<{ data: Policy }>('PATCH', `${POLICIES.path}/${known.id}`, { data: body })
    : call<{ data: Policy }>('POST', POLICIES.path, { data: body }))
  return data
}

const withId = (values: ConfigurationValues, ids: ReadonlyMap<string, number | undefined>): ConfigurationValues => {
  const id = ids.get(values.key)
  return id === undefined ? values : { ...values, id }
}

export type PolicyForm = ReturnType<typeof usePolicyForm>
