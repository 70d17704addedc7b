import type { Query } from '../../../search/query/ast.ts'

/** What the default fields of a query read. */
const DEFAULTS = ['data.title', 'meta.alias', 'data.description', 'data.short_description', 'meta.tags', 'extracts']

/** Members of the meta that are computed from something else than the meta, the data or the links of an entity. */
const FOREIGN = new Set(
  ['first_ingest_time', 'ingest_time', 'is_outdated_version', 'is_unresolved_idref', 'is_withdrawn'].concat(
    'is_unified_entity',
    'is_exempt_from_consolidation',
    'is_contributor_to',
  ),
)

/** Other names of the parts of an entity. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  type: ['data.type'],
  tags: ['meta.tags'],
  'meta.title': ['data.title', 'meta.alias'],
  'meta.taxonomy_paths': ['meta.taxonomies'],
  extracts: ['extracts'],
  'extracts.kind': ['extracts'],
  'extracts.value': ['extracts'],
}

/** A field of a query that rules may read. */
const NAME = /^(?:data|meta)\.[^*]+$/

/** The name of the part that everything belongs to. */
export const EVERYTHING = '*'

/**
 * The parts of an entity that a field name reads, such as `data.title`, `meta.tags` or `extracts`; undefined if criteria must not read it,
 * because it depends on more than the entity itself.
 */
export function partsOf(name: string): readonly string[] | undefined {
  const known = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined
  if (known) return known
  if (/^(?:data|meta)\.\*$/.test(name)) return [EVERYTHING]
  if (!NAME.test(name)) return undefined
  const [document = '', member = ''] = name.split('.')
  return document === 'meta' && FOREIGN.has(member) ? undefined : [`${document}.${member}`]
}

/** The field names in a query; null for the default fields. */
export function fieldsIn(query: Query): readonly (string | null)[] {
  if (query.kind === 'bool') return query.clauses.flatMap((clause) => fieldsIn(clause.query))
  if (query.kind === 'boost') return fieldsIn(query.query)
  return query.kind === 'all' ? [] : [query.field]
}

/** The parts of an entity that a query reads. */
export const partsRead = (query: Query): readonly string[] =>
  fieldsIn(query).flatMap((name) => (name === null ? DEFAULTS : (partsOf(name) ?? [EVERYTHING])))
