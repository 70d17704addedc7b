import type { Enricher } from '../../api/resources.ts'
import { configurationOf, fieldsIn, textOf } from '../../feeds/transport-form.ts'
import type { EnricherFunction } from './enricher-queries.ts'

/** The values of the enricher form. Numbers are texts, and empty ones mean none. */
export interface EnricherFormValues {
  readonly name: string
  readonly description: string
  readonly types: readonly string[]
  /** The parameters as texts, by name. */
  readonly texts: Readonly<Record<string, string>>
  readonly limits: readonly { readonly calls: string; readonly seconds: string }[]
  readonly rateLimit: string
  readonly cap: string
  readonly concurrency: string
  /** In hours. */
  readonly cacheHours: string
  readonly maxTlp: string
  readonly tlp: string
  readonly reliability: string
  readonly cost: string
  readonly isActive: boolean
}

const SECONDS_PER_HOUR = 3_600
const DEFAULT_CACHE_HOURS = 168

/** The form values of a new enricher. */
export const newEnricher = (chosen: EnricherFunction, taken: readonly string[]): EnricherFormValues => ({
  name: freeName(chosen.name, taken),
  description: '',
  types: chosen.supported_types,
  texts: {},
  limits: chosen.limits.map(({ calls, seconds }) => ({ calls: String(calls), seconds: String(seconds) })),
  rateLimit: '',
  cap: '',
  concurrency: '2',
  cacheHours: String(DEFAULT_CACHE_HOURS),
  maxTlp: chosen.is_remote ? 'GREEN' : '',
  tlp: '',
  reliability: '',
  cost: '',
  isActive: true,
})

/** A name for an enricher that no other one has: that of its function, numbered if necessary. */
export function freeName(functionName: string, taken: readonly string[]): string {
  const name = functionName.slice(functionName.indexOf(':') + 1).replaceAll(/[^A-Za-z0-9]+/g, '_')
  const used = new Set(taken)
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name}_${number}`
  return free
}

/** The form values of a stored enricher; its function is undefined if it is not installed. */
export function formOf(enricher: Enricher, own: EnricherFunction | undefined): EnricherFormValues {
  const fields = fieldsIn(own?.parameters)
  return {
    name: enricher.name,
    description: enricher.description,
    types: enricher.supported_observable_types,
    texts: Object.fromEntries(fields.map((field) => [field.name, textOf(field, enricher.parameters[field.name])])),
    limits: enricher.limits.map(({ calls, seconds }) => ({ calls: String(calls), seconds: String(seconds) })),
    rateLimit: numberText(enricher.rate_limit),
    cap: numberText(enricher.execution_cap),
    concurrency: String(enricher.concurrency),
    cacheHours: String(Math.round((enricher.cache_validity / SECONDS_PER_HOUR) * 100) / 100),
    maxTlp: enricher.max_tlp ?? '',
    tlp: enricher.tlp_color ?? '',
    reliability: enricher.source_reliability ?? '',
    cost: numberText(enricher.cost_per_call),
    isActive: enricher.is_active,
  }
}

/** The request body for form values. Removed parameters of a stored enricher are sent as null. */
export function bodyOf(
  form: EnricherFormValues,
  own: EnricherFunction | undefined,
  stored: Enricher | undefined,
): Record<string, unknown> {
  return {
    name: form.name.trim(),
    description: form.description,
    supported_observable_types: form.types,
    ...(own && { parameters: parametersOf(form, own, stored) }),
    limits: form.limits.map(({ calls, seconds }) => ({ calls: numberOf(calls), seconds: numberOf(seconds) })),
    rate_limit: numberOf(form.rateLimit),
    execution_cap: numberOf(form.cap),
    concurrency: numberOf(form.concurrency),
    cache_validity: form.cacheHours.trim() === '' ? null : Math.round(Number(form.cacheHours) * SECONDS_PER_HOUR),
    max_tlp: form.maxTlp || null,
    tlp_color: form.tlp || null,
    source_reliability: form.reliability || null,
    cost_per_call: numberOf(form.cost),
    is_active: form.isActive,
    ...(!stored && { enricher: own?.name }),
  }
}

function parametersOf(
  { texts }: EnricherFormValues,
  own: EnricherFunction,
  stored: Enricher | undefined,
): Record<string, unknown> {
  const fields = fieldsIn(own.parameters)
  const initial = Object.fromEntries(fields.map((field) => [field.name, textOf(field, undefined)]))
  const given = configurationOf(fields, { ...initial, ...texts })
  const removed = Object.keys(stored?.parameters ?? {}).filter((name) => given[name] === undefined)
  return { ...given, ...Object.fromEntries(removed.map((name) => [name, null])) }
}

const numberText = (number: number | null): string => (number === null ? '' : String(number))
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** The names of all fields that can show a validation error, the most specific first. */
export const faultNames = (own: EnricherFunction | undefined): string[] => [
  ...fieldsIn(own?.parameters).map(({ name }) => `parameters.${name}`),
  'name',
  'description',
  'supported_observable_types',
  'limits',
  'rate_limit',
  'execution_cap',
  'concurrency',
  'cache_validity',
  'max_tlp',
  'tlp_color',
  'source_reliability',
  'cost_per_call',
  'is_active',
]
