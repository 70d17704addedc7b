import type { ExposedReduction, ExposedResource } from '../../engine/exposed-resource.ts'
import type { Field } from '../../engine/field-class.ts'
import { DEFAULT_LIMIT, MAXIMUM_LIMIT } from '../../engine/query.ts'

export interface Parameter {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly description: string
  readonly isRequired?: boolean
}

export const ATTRIBUTES: Parameter = {
  name: 'attributes',
  schema: { type: 'string' },
  description: 'Comma-separated attributes to return; use dots for nested ones.',
}

const COMMON: readonly Parameter[] = [
  ATTRIBUTES,
  {
    name: 'data',
    schema: { type: 'boolean', default: true },
    description: 'When false, only the number of matches is returned.',
  },
  {
    name: 'limit',
    schema: { type: 'integer', minimum: 1, maximum: MAXIMUM_LIMIT, default: DEFAULT_LIMIT },
    description: 'Maximum number of items per page.',
  },
  {
    name: 'offset',
    schema: { type: 'integer', minimum: 0, default: 0 },
    description: 'Zero-based index of the first result; ignored if a cursor is given.',
  },
  {
    name: 'sort',
    schema: { type: 'string' },
    description: 'Comma-separated fields; a leading `-` means descending. Ties are broken by id.',
  },
  {
    name: 'page[cursor]',
    schema: { type: 'string' },
    description: 'The cursor of the previous page; repeat the same filters and sort.',
  },
  {
    name: 'meta[total_resources_aggregated]',
    schema: { type: 'integer', minimum: 0, default: 10_000 },
    description:
      'Up to this number the total is exact, beyond it an estimate; at least 10,000. 0 always counts exactly.',
  },
]

const QUERY: Parameter = {
  name: 'query',
  schema: { type: 'string', maxLength: 20_000 },
  description: 'A Lucene query; `sort=-_score` lists the best matches first.',
}

const reductionParameter = ({ parameter, values, doc }: ExposedReduction): Parameter => ({
  name: parameter,
  schema: { type: 'string', enum: values, default: values[0] },
  description: doc,
})

/** The path of a nested resource says whose it is. */
const OWNER = 'owner'

/** The query parameters of a list, including a filter for each field. */
export function listParameters({ fields, search: { filters = {}, ...search } = {} }: ExposedResource): Parameter[] {
  const readable = Object.keys(fields).filter(
    (name) => !['write-only', 'secret'].includes(fields[name]?.props.access ?? ''),
  )
  const more = Object.keys(filters).filter((name) => name !== OWNER)
  const named = [...new Set(['id', ...readable, ...more])].map((name) => filterParameter(name, filters[name]))
  return [
    ...COMMON,
    ...(search.query ? [QUERY] : []),
    ...(search.reduction ? [reductionParameter(search.reduction)] : []),
    ...named,
  ]
}

function filterParameter(name: string, filter: Field | undefined): Parameter {
  const storage = filter?.props.storage
  const isSearched = storage?.kind === 'searched'
  const prefixes = isSearched
    ? 'Prefix the name with `!` for all others.'
    : 'Prefix the name with `!`, `>`, `>=`, `<` or `<=` to compare.'
  return {
    name: `filter[${name}]`,
    schema: { type: 'array', items: { type: 'string', ...(isSearched && storage.values && { enum: storage.values }) } },
    description: `Only objects with one of these values in \`${name}\`. ${prefixes}`,
  }
}
