import { nameOf } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { tlpName } from '../../domain/tlp.ts'
import { inQuotes, scopeInWords } from '../in-words.ts'
import { readTree, treeInWords } from './criteria-tree.ts'
import type { ActionName, EntityRule } from './entity-rule.ts'

/** Names of what rules refer to, by id. */
export interface RuleNames {
  readonly sources: ReadonlyMap<string, string>
  readonly datasets: ReadonlyMap<string, string>
  readonly taxonomies: ReadonlyMap<string, string>
}

type Worded = Pick<
  EntityRule,
  | 'actions'
  | 'add_tags'
  | 'remove_tags'
  | 'add_taxonomies'
  | 'remove_taxonomies'
  | 'datasets'
  | 'override_tlp'
  | 'alias_formatting_template'
  | 'vendorjson2_entity_type'
>

/** What a rule does, action by action. Tags and names are defanged. */
export function actionsInWords(rule: Worded, names: RuleNames): readonly string[] {
  const taxonomy = (url: string) => nameOf(names.taxonomies, url)
  const words: Readonly<Record<ActionName, () => string>> = {
    add_tags: () => `Add ${listed(rule.add_tags.map(defangText), rule.add_taxonomies.map(taxonomy))}`,
    remove_tags: () => `Remove ${listed(rule.remove_tags.map(defangText), rule.remove_taxonomies.map(taxonomy))}`,
    override_tlp: () => `Set TLP:${tlpName(rule.override_tlp ?? '')}`,
    add_to_set: () => `Add to ${all(rule.datasets.map((url) => inQuotes(defangText(nameOf(names.datasets, url)))))}`,
    set_alias: () => `Set alias to ${inQuotes(rule.alias_formatting_template ?? '')}`,
    convert_to_vendorjson2: () => `Convert to ${entityTypeName(rule.vendorjson2_entity_type ?? '')}`,
  }
  return rule.actions.map((action) => words[action]?.() ?? action)
}

const all = (texts: readonly string[]): string =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`

const listed = (tags: readonly string[], taxonomies: readonly string[]): string =>
  all([
    ...(tags.length > 0 ? [`${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`] : []),
    ...(taxonomies.length > 0
      ? [`${taxonomies.length === 1 ? 'taxonomy' : 'taxonomies'} ${taxonomies.join(', ')}`]
      : []),
  ])

/** Which entities a rule applies to; “All entities” if it has no criteria. Queries stay as they are. */
export function criteriaInWords(
  rule: Pick<EntityRule, 'entity_types' | 'sources' | 'tlps' | 'content_criteria'>,
  names: Pick<RuleNames, 'sources'>,
): readonly string[] {
  const { content_criteria: content } = rule
  const tree = readTree(content)
  const parts = [
    ...scopeInWords({
      entity_types: rule.entity_types,
      sources: rule.sources.map((url) => defangText(nameOf(names.sources, url))),
      tlps: rule.tlps,
    }),
    ...(typeof content === 'string' ? [content] : tree ? [treeInWords(tree)] : []),
  ]
  return parts.length === 0 ? ['All entities'] : parts
}
