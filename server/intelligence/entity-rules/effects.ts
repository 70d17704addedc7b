import type { Tlp } from '../../domain/tlp.ts'
import type { Enforced } from './enforce.ts'
import type { Rule } from './rule.ts'

/** Something that a rule did to an entity. */
export type Effect =
  | { readonly kind: 'tag_added' | 'tag_removed'; readonly value: string }
  | { readonly kind: 'taxonomy_added' | 'taxonomy_removed'; readonly value: number }
  /** The colour that the rule gave; that of the entity is the most restrictive of all rules in the write. */
  | { readonly kind: 'tlp'; readonly value: Tlp; readonly before: Tlp | null }
  | { readonly kind: 'dataset_added'; readonly value: number }
  | { readonly kind: 'alias'; readonly value: string; readonly before: string | null }
  | {
      readonly kind: 'converted'
      readonly value: string
      readonly before: string
      readonly was_family: boolean | null
    }

export const EFFECT_KINDS = [
  'tag_added',
  'tag_removed',
  'taxonomy_added',
  'taxonomy_removed',
  'tlp',
  'dataset_added',
  'alias',
  'converted',
] as const satisfies readonly Effect['kind'][]

/** What each rule did to an entity, except for datasets. */
export function effectsOf({ own, merged, rules }: Enforced): Map<number, Effect[]> {
  const effects = new Map<number, Effect[]>()
  if (!merged) return effects
  for (const rule of rules) {
    const list = effectsOfRule(rule, own, merged)
    if (list.length > 0) effects.set(rule.id, list)
  }
  return effects
}

function effectsOfRule(rule: Rule, own: Enforced['own'], { state, aliasBy, convertedBy }: Merged): Effect[] {
  const effects: Effect[] = []
  const isNew = <T>(value: T, before: readonly T[]) => !before.includes(value)
  for (const value of new Set(rule.addTags)) if (isNew(value, own.tags)) effects.push({ kind: 'tag_added', value })
  for (const value of new Set(rule.removeTags))
    if (own.tags.includes(value) && isNew(value, state.tags)) effects.push({ kind: 'tag_removed', value })
  for (const value of rule.addTaxonomies)
    if (isNew(value, own.taxonomies)) effects.push({ kind: 'taxonomy_added', value })
  for (const value of rule.removeTaxonomies)
    if (own.taxonomies.includes(value) && isNew(value, state.taxonomies))
      effects.push({ kind: 'taxonomy_removed', value })
  if (rule.tlp !== null && state.colour !== own.colour)
    effects.push({ kind: 'tlp', value: rule.tlp, before: own.colour })
  if (rule.id === aliasBy && state.alias !== null && state.alias !== own.alias)
    effects.push({ kind: 'alias', value: state.alias, before: own.alias })
  if (rule.id === convertedBy && rule.target !== null) {
    const family = (own.data as { is_family?: unknown }).is_family
    const before = own.data.type
    effects.push({
      kind: 'converted',
      value: rule.target,
      before,
      was_family: typeof family === 'boolean' ? family : null,
    })
  }
  return effects
}

type Merged = NonNullable<Enforced['merged']>
