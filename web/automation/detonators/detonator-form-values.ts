import { configurationOf, type TransportField, textOf } from '../../feeds/transport-form.ts'
import type { Detonator, FormField } from './detonator-queries.ts'

/** The values of the form of a detonator. Numbers are texts, and empty ones mean none. */
export interface DetonatorFormValues {
  readonly taskName: string
  readonly description: string
  /** The parameters as texts, by name. */
  readonly texts: Readonly<Record<string, string>>
  readonly limit: string
  readonly types: readonly string[]
  readonly maxTlp: string
  readonly tlp: string
  readonly reliability: string
  /** In hours. */
  readonly cacheHours: string
  readonly isActive: boolean
}

const SECONDS_PER_HOUR = 3_600

const KINDS: Readonly<Record<FormField['type'], TransportField['kind']>> = {
  text: 'text',
  url: 'text',
  secret: 'secret',
  number: 'number',
  boolean: 'switch',
  choice: 'choice',
}

/** The fields of one part of the form of a detonator, as inputs. */
export const inputsOf = (schema: readonly FormField[] | null, group: FormField['group']): readonly TransportField[] =>
  (schema ?? [])
    .filter((field) => field.group === group)
    .map(({ name, title, description, type, required, choices, default: initial }) => ({
      name,
      label: title,
      kind: KINDS[type],
      isRequired: required,
      initial,
      ...(description !== '' && { help: description }),
      ...(choices && { choices: choices.map((each) => ({ value: each.value, label: each.title })) }),
    }))

/** The form values of a detonator. */
export function formOf(detonator: Detonator): DetonatorFormValues {
  const fields = inputsOf(detonator.ui_form_schema, 'parameters')
  const { detonation_per_day_limit: limit } = detonator
  return {
    taskName: detonator.task_name,
    description: detonator.description,
    texts: Object.fromEntries(fields.map((field) => [field.name, textOf(field, detonator.parameters[field.name])])),
    limit: limit === null ? '' : String(limit),
    types: detonator.selected_extract_types,
    maxTlp: detonator.max_tlp ?? '',
    tlp: detonator.tlp_color ?? '',
    reliability: detonator.source_reliability ?? '',
    cacheHours: String(Math.round((detonator.cache_validity / SECONDS_PER_HOUR) * 100) / 100),
    isActive: detonator.is_active,
  }
}

/** The request body for form values. Parameters that were removed are sent as null. */
export function bodyOf(form: DetonatorFormValues, detonator: Detonator): Record<string, unknown> {
  const given = configurationOf(inputsOf(detonator.ui_form_schema, 'parameters'), form.texts)
  const removed = Object.keys(detonator.parameters).filter((name) => given[name] === undefined)
  return {
    task_name: form.taskName.trim(),
    description: form.description,
    ...(detonator.ui_form_schema && {
      parameters: { ...given, ...Object.fromEntries(removed.map((name) => [name, null])) },
    }),
    detonation_per_day_limit: form.limit.trim() === '' ? null : Number(form.limit),
    selected_extract_types: form.types,
    max_tlp: form.maxTlp || null,
    tlp_color: form.tlp || null,
    source_reliability: form.reliability || null,
    cache_validity: form.cacheHours.trim() === '' ? null : Math.round(Number(form.cacheHours) * SECONDS_PER_HOUR),
    is_active: form.isActive,
  }
}

/** The names of all fields that can show a validation error, the most specific first. */
export const faultNames = ({ ui_form_schema }: Pick<Detonator, 'ui_form_schema'>): string[] => [
  ...inputsOf(ui_form_schema, 'parameters').map(({ name }) => `parameters.${name}`),
  'task_name',
  'description',
  'detonation_per_day_limit',
  'selected_extract_types',
  'max_tlp',
  'tlp_color',
  'source_reliability',
  'cache_validity',
  'is_active',
]
