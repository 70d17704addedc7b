import type { ObservableType } from '../../domain/observables/types.ts'
import { typesNamed } from './observable-names.ts'

/** How a text is converted before it is stored in a field. */
export type Form =
  | 'confidence'
  | 'description'
  | 'flag'
  | 'number'
  | 'reliability'
  | 'tags'
  | 'text'
  | 'texts'
  | 'time'
  | 'title'
  | 'tlp'
  | 'type'

/** What a cell can become. */
export type Field =
  /** An observable of one of these types, or of any type if the list is empty. */
  | { readonly kind: 'observable'; readonly types: readonly ObservableType[] }
  /** A property of the row's single observable. */
  | { readonly kind: 'part'; readonly part: 'type' | 'value' | 'maliciousness' | 'link_type' }
  | {
      readonly kind: 'value'
      readonly path: readonly [place: 'data' | 'meta', ...names: string[]]
      readonly form: Form
    }

const DATA_FORMS: Readonly<Record<string, Form>> = {
  ...formed('time', [
    'analysis_ended',
    'analysis_started',
    'created',
    'first_seen',
    'last_seen',
    'modified',
    'published',
    'submitted',
    'timestamp',
    'valid_from',
    'valid_until',
  ]),
  ...formed('texts', [
    'aliases',
    'architecture_execution_envs',
    'authors',
    'capabilities',
    'goals',
    'implementation_languages',
    'indicator_types',
    'infrastructure_types',
    'labels',
    'malware_types',
    'modules',
    'object_refs',
    'report_types',
    'roles',
    'sectors',
    'tool_types',
  ]),
  ...formed('number', ['latitude', 'longitude', 'precision']),
  ...formed('flag', ['is_family', 'revoked', 'summary']),
  confidence: 'confidence',
  description: 'description',
  title: 'title',
  type: 'type',
}

const META_FORMS: Readonly<Record<string, Form>> = {
  ...formed('time', ['estimated_observed_time', 'estimated_threat_end_time', 'estimated_threat_start_time']),
  ...formed('texts', ['attacks', 'taxonomies']),
  alias: 'text',
  half_life: 'number',
  source_reliability: 'reliability',
  tags: 'tags',
  tlp_color: 'tlp',
}

/** Common short names, and older ones. */
const SHORT: Readonly<Record<string, string>> = {
  attack: 'meta.attacks',
  id: 'data.id',
  name: 'data.title',
  short_description: 'data.short_description',
  stix_id: 'data.id',
  taxonomy: 'meta.taxonomies',
  tlp: 'meta.tlp_color',
  'meta.attack': 'meta.attacks',
  'meta.taxonomy': 'meta.taxonomies',
  'meta.tlp': 'meta.tlp_color',
  ...Object.fromEntries(
    ['confidence', 'description', 'timestamp', 'title', 'type'].map((name) => [name, `data.${name}`]),
  ),
  ...Object.fromEntries(Object.keys(META_FORMS).map((name) => [name, `meta.${name}`])),
}

const OBSERVABLE = /^(?:observables?|extracts?)(?:\.(.+))?$/
const PARTS = ['type', 'value', 'maliciousness', 'link_type'] as const
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/
const DEPTH_LIMIT = 5

/** Returns the field for a name in a CSV mapping; undefined if it is unknown. */
export function fieldNamed(name: string): Field | undefined {
  const plain = name.trim().replace(/^entity\./, '')
  const observable = OBSERVABLE.exec(plain)
  if (observable) return observableNamed(observable[1] ?? 'any')
  const [place, ...names] = (Object.hasOwn(SHORT, plain) ? (SHORT[plain] ?? '') : plain).split('.')
  if (place === 'data' || place === 'meta') return valueNamed(place, names)
  return names.length === 0 ? observableNamed(plain) : undefined
}

function observableNamed(name: string): Field | undefined {
  const part = PARTS.find((known) => known === name)
  if (part) return { kind: 'part', part }
  const types = typesNamed(name)
  return types && { kind: 'observable', types }
}

function valueNamed(place: 'data' | 'meta', names: readonly string[]): Field | undefined {
  const isHarmless = names.every((name) => NAME.test(name) && !(name in Object.prototype) && name !== 'prototype')
  if (!isHarmless || names.length === 0 || names.length > DEPTH_LIMIT) return undefined
  const [name = ''] = names
  const forms = place === 'data' ? DATA_FORMS : META_FORMS
  const form = names.length === 1 && Object.hasOwn(forms, name) ? forms[name] : undefined
  return { kind: 'value', path: [place, ...names], form: form ?? 'text' }
}

function formed(form: Form, names: readonly string[]): Record<string, Form> {
  return Object.fromEntries(names.map((name) => [name, form]))
}
