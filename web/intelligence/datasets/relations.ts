import { isRecord } from '../../../server/domain/record.ts'

/** One step of a relational query as form values; empty texts and lists mean no restriction. */
export interface Hop {
  readonly direction: 'out' | 'in' | 'any'
  readonly via: 'relationships' | 'observables' | 'both'
  readonly keys: readonly string[]
  readonly entity_types: readonly string[]
  readonly observable_types: readonly string[]
  readonly depth: number
  readonly query: string
  /** Properties without a form field, kept unchanged. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** A relational query as form values. */
export interface Relations {
  readonly query: string
  readonly datasets: readonly string[]
  readonly hops: readonly Hop[]
  readonly include: 'last' | 'reached' | 'all'
  readonly rest: Readonly<Record<string, unknown>>
}

export const NEW_HOP: Hop = {
  direction: 'any',
  via: 'relationships',
  keys: [],
  entity_types: [],
  observable_types: [],
  depth: 1,
  query: '',
  rest: {},
}

export const NEW_RELATIONS: Relations = { query: '', datasets: [], hops: [NEW_HOP], include: 'last', rest: {} }

/** Common relationship types, as suggestions. */
export const KEYS: readonly string[] = [
  'attributed-to',
  'based-on',
  'communicates-with',
  'compromises',
  'controls',
  'delivers',
  'derived-from',
  'downloads',
  'drops',
  'duplicate-of',
  'exploits',
  'hosts',
  'indicates',
  'located-at',
  'mitigates',
  'originates-from',
  'related-to',
  'targets',
  'uses',
  'variant-of',
]

/** The query for form values. */
export function toQuery({ query, datasets, hops, include, rest }: Relations) {
  const start = {
    ...rest,
    ...(query.trim() !== '' && { query }),
    ...(datasets.length > 0 && { datasets: datasets.map(Number) }),
  }
  return { start, hops: hops.map(toHop), include }
}

function toHop({ direction, via, keys, entity_types, observable_types, depth, query, rest }: Hop) {
  const isOver = via !== 'observables'
  return {
    ...rest,
    via,
    depth,
    ...(isOver && { direction }),
    ...(isOver && keys.length > 0 && { keys }),
    ...(entity_types.length > 0 && { entity_types }),
    ...(via !== 'relationships' && observable_types.length > 0 && { observable_types }),
    ...(query.trim() !== '' && { query }),
  }
}

type Loose = Readonly<Record<string, unknown>>

/** The form values of a query; undefined if it is not a valid query. */
export function fromQuery(value: unknown): Relations | undefined {
  if (!isRecord(value) || !isRecord(value.start) || !Array.isArray(value.hops) || !value.hops.every(isRecord))
    return undefined
  const { query, datasets, ...rest } = value.start
  return {
    query: text(query),
    datasets: list(datasets).map((each) => each.slice(each.lastIndexOf('/') + 1)),
    hops: value.hops.map(fromHop),
    include: value.include === 'all' || value.include === 'reached' ? value.include : 'last',
    rest,
  }
}

function fromHop({ direction, via, keys, entity_types, observable_types, depth, query, ...rest }: Loose): Hop {
  return {
    direction: direction === 'out' || direction === 'in' ? direction : 'any',
    via: via === 'observables' || via === 'both' ? via : 'relationships',
    keys: list(keys),
    entity_types: list(entity_types),
    observable_types: list(observable_types),
    depth: typeof depth === 'number' ? depth : 1,
    query: text(query),
    rest,
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Whether the form has the required starting point. */
export const canAsk = ({ query, datasets, rest }: Relations): boolean =>
  query.trim() !== '' || datasets.length > 0 || Object.keys(rest).length > 0
