/** When a step is done: all of these must hold. One asks for the outcome of an earlier step, or for a query that the object matches. */
export type OnlyIf = { readonly step: string; readonly outcome: readonly string[] } | { readonly query: string }

/** A step as it is stored. Its other members are the parameters of its kind, as they were sent. */
export interface StoredStep {
  readonly id: string
  readonly kind: string
  readonly name: string | null
  readonly only_if: readonly OnlyIf[]
  readonly on_failure: 'stop' | 'continue'
  readonly [parameter: string]: unknown
}

/** The members of a step that are no parameters of its kind. */
export const OWN_MEMBERS: readonly string[] = ['id', 'kind', 'name', 'only_if', 'on_failure']

/** The parameters of a step, for the schema of its kind. */
export const parametersOf = (step: StoredStep): Record<string, unknown> =>
  Object.fromEntries(Object.entries(step).filter(([name]) => !OWN_MEMBERS.includes(name)))
