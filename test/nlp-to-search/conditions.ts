/** Conditions as a model says them. */
export type Said = Readonly<Record<string, unknown>>

const condition = (field: string, operator: string, values: readonly string[], time: Said | null = null): Said => ({
  field,
  operator,
  values,
  time,
  not: false,
})

export const is = (field: string, ...values: readonly string[]): Said => condition(field, 'is', values)
export const has = (field: string): Said => condition(field, 'exists', [])
export const op = (field: string, operator: string, ...values: readonly string[]): Said =>
  condition(field, operator, values)
export const not = (said: Said): Said => ({ ...said, not: true })

const time = (more: Said): Said => ({ kind: 'dates', amount: null, unit: null, from: null, to: null, ...more })
export const last = (amount: number, unit: string): Said => time({ kind: 'last', amount, unit })
export const next = (amount: number, unit: string): Said => time({ kind: 'next', amount, unit })
export const calendar = (amount: number, unit: string): Said => time({ kind: 'calendar', amount, unit })
export const dates = (from: string | null, to: string | null): Said => time({ from, to })
export const at = (field: string, when: Said, operator = 'during'): Said => condition(field, operator, [], when)

const isGroup = (said: Said): boolean => 'match' in said
const group = (match: string, members: readonly Said[]): Said => ({
  match,
  not: false,
  conditions: members.filter((each) => !isGroup(each)),
  groups: members.filter(isGroup),
})
export const all = (...members: readonly Said[]): Said => group('all', members)
export const any = (...members: readonly Said[]): Said => group('any', members)

/** A whole answer. */
export const answer = (said: Said): Said => ({
  ...(isGroup(said) && said.not !== true ? said : group('all', [said])),
  not_expressed: [],
})
