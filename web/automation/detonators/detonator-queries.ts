import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { listQuery, oneQuery } from '../../api/lists.ts'
import type { DetonatorTask } from '../../api/resources.ts'

/** A field of a form: of the parameters of a detonator, or of the options of a submission. */
export interface FormField {
  readonly group: 'parameters' | 'options'
  readonly name: string
  readonly title: string
  readonly description: string
  readonly type: 'text' | 'secret' | 'url' | 'number' | 'boolean' | 'choice'
  readonly required: boolean
  readonly default?: string | number | boolean
  readonly choices?: readonly { readonly value: string; readonly title: string }[]
  /** Only for samples of this kind. */
  readonly only?: 'file' | 'url'
}

/** A detonator as the API returns it. */
export type Detonator = Omit<DetonatorTask, 'ui_form_schema' | 'state_reason' | 'resumes_at'> & {
  /** Null if its adapter is not installed. */
  readonly ui_form_schema: readonly FormField[] | null
  readonly state_reason: string | null
  readonly resumes_at: string | null
}

/** A kind of sandbox that this installation has an adapter for. */
export interface DetonatorAdapter {
  readonly name: string
  readonly title: string
  readonly description: string
}

/** All adapters, by title. They change only with the installation. */
export const adaptersQuery = queryOptions({
  queryKey: ['detonators/adapters'],
  queryFn: async ({ signal }) =>
    (await call<{ data: DetonatorAdapter[] }>('GET', 'detonators/adapters', undefined, signal)).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The titles of adapters by name; an adapter that is not installed has none. */
export function useAdapterTitles(): ReadonlyMap<string, string> {
  const { data = [] } = useQuery(adaptersQuery)
  return new Map(data.map(({ name, title }) => [name, title]))
}

/** What detonators have in common with the kinds of rules. */
export const DETONATORS = { path: 'detonators', permission: 'detonators', touched: ['detonations'] }

/** All detonators, by name. */
export const detonatorsQuery = listQuery<Detonator>('detonators', { sort: 'name', limit: 500 })

export const detonatorQuery = (id: string) => oneQuery<Detonator>(`detonators/${id}`)

/** The result of a test call. */
export interface TestResult {
  readonly state: 'OK' | 'FAILED'
  readonly reason: string | null
  readonly milliseconds: number
}

/** Calls the sandbox once, without sending a sample or storing anything. */
export const testDetonator = async (id: number): Promise<TestResult> =>
  (await call<{ data: TestResult }>('POST', `detonators/${id}/test`)).data

/** Accepts all present terms of a detonator for the user. */
export const acceptTerms = ({ id, terms }: Pick<Detonator, 'id' | 'terms'>) =>
  call('POST', `detonators/${id}/consent`, { data: { terms: (terms ?? []).map((each) => each.id) } })

export const withdrawConsent = (id: number) => call('DELETE', `detonators/${id}/consent`)
