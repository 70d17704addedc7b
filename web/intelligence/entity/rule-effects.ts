import type { Parameters } from '../../api/lists.ts'
import type { EntityRuleEffect } from '../../api/resources.ts'
import { tlpName } from '../../domain/tlp.ts'

/** What an entity rule did to an entity. */
export type EffectKind = EntityRuleEffect['effects'][number]['kind']

/** One change that an entity rule made; taxonomies and datasets are ids or names. */
export interface Effect {
  readonly kind: EffectKind
  readonly value: string | number | null
  readonly before?: string | null | undefined
}

/** The collection of effects, latest first. */
export const EFFECTS = 'entity-rule-effects'

/** The query parameters for the effects of a rule, of a run or on an entity. */
export const effectParameters = (only: {
  readonly rule?: string | number
  readonly entity?: string
  readonly run?: string
}): Parameters => ({
  ...Object.fromEntries(
    Object.entries(only).flatMap(([name, id]) => (id === undefined || id === '' ? [] : [[`filter[${name}]`, id]])),
  ),
  sort: '-created_at',
  limit: 50,
})

const LABELS: Readonly<Record<EffectKind, string>> = {
  tag_added: 'Tag added',
  tag_removed: 'Tag removed',
  taxonomy_added: 'Taxonomy added',
  taxonomy_removed: 'Taxonomy removed',
  tlp: 'TLP changed',
  dataset_added: 'Added to dataset',
  alias: 'Alias set',
  converted: 'Converted',
}

/** The name of a kind of effect. */
export const effectLabel = (kind: string): string => LABELS[kind as EffectKind] ?? kind.replaceAll('_', ' ')

const tlpText = (colour: Effect['value'] | undefined): string => (colour ? `TLP:${tlpName(String(colour))}` : 'no TLP')

/** The kinds in the order in which they are shown: what restricts who sees an entity comes first. */
const ORDER = ['tlp', 'converted', 'alias'] as const satisfies readonly EffectKind[]

/** Effects in the order of their importance; those of the same kind keep their order. */
export function ordered(effects: readonly Effect[]): readonly Effect[] {
  const rank = ({ kind }: Effect) => {
    const at = (ORDER as readonly string[]).indexOf(kind)
    return at < 0 ? ORDER.length : at
  }
  return effects.toSorted((a, b) => rank(a) - rank(b))
}

/** Names of taxonomies and datasets, by id. */
export interface EffectNames {
  readonly taxonomies: ReadonlyMap<string, string>
  readonly datasets: ReadonlyMap<string, string>
}

/** An effect with the name of its taxonomy or dataset instead of the id. */
export function named(effect: Effect, { taxonomies, datasets }: EffectNames): Effect {
  const { kind, value } = effect
  if (typeof value !== 'number') return effect
  const isDataset = kind === 'dataset_added'
  const name = (isDataset ? datasets : taxonomies).get(String(value))
  return { ...effect, value: name ?? `${isDataset ? 'Dataset' : 'Node'} ${value}` }
}

/** One effect in words, for screen readers and exports. */
export function effectInWords({ kind, value, before }: Effect): string {
  if (kind === 'tlp') return `${effectLabel(kind)} from ${tlpText(before)} to ${tlpText(value)}`
  if (kind === 'converted') return `${effectLabel(kind)} from ${before ?? 'another type'} to ${value}`
  if (kind === 'alias' && before) return `${effectLabel(kind)}: ${value} (before: ${before})`
  return `${effectLabel(kind)}: ${value}`
}
