import { DEFAULT_LIMIT, MAXIMUM_LIMIT } from '../../engine/query.ts'
import type { Resource } from '../../engine/resource.ts'

export interface Parameter {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly description: string
}

export const ATTRIBUTES: Parameter = {
  name: 'attributes',
  schema: { type: 'string' },
  description: 'Comma-separated attributes to return; nested ones are separated by dots.',
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
    description: 'Maximum number of items in the page.',
  },
  {
    name: 'offset',
    schema: { type: 'integer', minimum: 0, default: 0 },
    description: 'Zero-based index of the first result; ignored beside a cursor.',
  },
  {
    name: 'sort',
    schema: { type: 'string' },
    description: 'Comma-separated fields; a leading `-` means descending. The id is the last tie-break.',
  },
  {
    name: 'page[cursor]',
    schema: { type: 'string' },
    description: 'The cursor of the page before; repeat the same filters and sort.',
  },
  {
    name: 'meta[total_resources_aggregated]',
    schema: { type: 'integer', minimum: 0, default: 10_000 },
    description: 'Up to here the total is exact, beyond it an estimate; at least 10,000. 0 always counts.',
  },
]

const QUERY: Parameter = {
  name: 'query',
  schema: { type: 'string', maxLength: 20_000 },
  description: 'A Lucene query; `sort=-_score` puts what fits it best first.',
}

/** The query parameters of a list, one filter for every field among them. */
export function listParameters({ fields, search }: Resource): Parameter[] {
  const readable = Object.entries(fields).filter(([, { props }]) => !['write-only', 'secret'].includes(props.access))
  const filters = ['id', ...readable.map(([name]) => name)].map((name) => ({
    name: `filter[${name}]`,
    schema: { type: 'array', items: { type: 'string' } },
    description: `Only objects with one of these values in \`${name}\`; \`!\`, \`>\`, \`>=\`, \`<\`, \`<=\` may stand before the name.`,
  }))
  return [...COMMON, ...(search ? [QUERY] : []), ...filters]
}
