import { idOf } from '../../api/lists.ts'
import { type Branch, isComplete, NEW_TREE, readTree, storedTree } from './criteria-tree.ts'
import type { ActionName, EntityRule } from './entity-rule.ts'

/** How the content of entities is compared: not at all, with a query, or with a tree of conditions. */
export type ContentKind = 'none' | 'query' | 'tree'

/** The values of the form of an entity rule. */
export interface RuleValues {
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly entityTypes: readonly string[]
  /** Ids. */
  readonly sources: readonly string[]
  readonly tlps: readonly string[]
  readonly content: ContentKind
  readonly query: string
  readonly tree: Branch
  readonly actions: readonly ActionName[]
  readonly addTags: readonly string[]
  readonly removeTags: readonly string[]
  /** Ids or URLs. */
  readonly addTaxonomies: readonly (string | number)[]
  readonly removeTaxonomies: readonly (string | number)[]
  readonly datasets: readonly string[]
  readonly tlp: string
  readonly alias: string
  readonly titlePattern: string
  readonly target: string
}

/** The values of a stored rule, or of a new one. */
export function ruleValues(rule?: EntityRule): RuleValues {
  const criteria = rule?.content_criteria ?? null
  const tree = readTree(criteria)
  return {
    name: rule?.name ?? '',
    description: rule?.description ?? '',
    isActive: rule?.is_active ?? true,
    entityTypes: rule?.entity_types ?? [],
    sources: rule?.sources.map(idOf) ?? [],
    tlps: rule?.tlps ?? [],
    content: typeof criteria === 'string' ? 'query' : tree ? 'tree' : 'none',
    query: typeof criteria === 'string' ? criteria : '',
    tree: tree ?? NEW_TREE,
    actions: rule?.actions ?? [],
    addTags: rule?.add_tags ?? [],
    removeTags: rule?.remove_tags ?? [],
    addTaxonomies: rule?.add_taxonomies ?? [],
    removeTaxonomies: rule?.remove_taxonomies ?? [],
    datasets: rule?.datasets.map(idOf) ?? [],
    tlp: rule?.override_tlp ?? '',
    alias: rule?.alias_formatting_template ?? '',
    titlePattern: rule?.title_pattern ?? '',
    target: rule?.vendorjson2_entity_type ?? '',
  }
}

/** The names of the fields that can show a validation error. */
export const RULE_FIELDS = [
  'name',
  'description',
  'entity_types',
  'sources',
  'tlps',
  'content_criteria',
  'actions',
  'add_tags',
  'remove_tags',
  'add_taxonomies',
  'remove_taxonomies',
  'datasets',
  'override_tlp',
  'alias_formatting_template',
  'title_pattern',
  'vendorjson2_entity_type',
]

/** The request body for form values. Fields that belong to an action are cleared unless the action is chosen. */
export function ruleBody(values: RuleValues): Readonly<Record<string, unknown>> {
  const only = <T>(action: ActionName, value: T, otherwise: T): T =>
    values.actions.includes(action) ? value : otherwise
  return {
    name: values.name.trim(),
    description: values.description.trim() || null,
    is_active: values.isActive,
    entity_types: values.entityTypes,
    sources: values.sources,
    tlps: values.tlps,
    content_criteria: criteriaOf(values),
    actions: values.actions,
    add_tags: only('add_tags', values.addTags, []),
    add_taxonomies: only('add_tags', values.addTaxonomies, []),
    remove_tags: only('remove_tags', values.removeTags, []),
    remove_taxonomies: only('remove_tags', values.removeTaxonomies, []),
    datasets: only('add_to_set', values.datasets.map(Number), []),
    override_tlp: only('override_tlp', values.tlp || null, null),
    alias_formatting_template: only('set_alias', values.alias || null, null),
    title_pattern: only('set_alias', values.titlePattern || null, null),
    vendorjson2_entity_type: only('convert_to_vendorjson2', values.target || null, null),
  }
}

function criteriaOf({ content, query, tree }: RuleValues): unknown {
  if (content === 'query') return query.trim() || null
  return content === 'tree' ? storedTree(tree) : null
}

/** Why a rule cannot be previewed yet; undefined if it can. */
export function lackOf(values: RuleValues): string | undefined {
  const { actions } = values
  if (actions.length === 0) return 'Choose an action to see what the rule would change.'
  if (values.content === 'query' && values.query.trim() === '') return 'Enter the query.'
  if (values.content === 'tree' && !isComplete(values.tree)) return 'Complete all conditions, or remove them.'
  return actions.map((action) => lackOfAction(action, values)).find((lack) => lack !== undefined)
}

function lackOfAction(action: ActionName, values: RuleValues): string | undefined {
  switch (action) {
    case 'add_tags':
      return values.addTags.length + values.addTaxonomies.length > 0 ? undefined : 'Enter the tags to add.'
    case 'remove_tags':
      return values.removeTags.length + values.removeTaxonomies.length > 0 ? undefined : 'Enter the tags to remove.'
    case 'override_tlp':
      return values.tlp === '' ? 'Choose the TLP colour to set.' : undefined
    case 'add_to_set':
      return values.datasets.length > 0 ? undefined : 'Choose a dataset.'
    case 'set_alias':
      return values.alias.trim() === '' ? 'Enter the template of the alias.' : undefined
    case 'convert_to_vendorjson2':
      return values.target === '' ? 'Choose the type to convert to.' : undefined
  }
}
