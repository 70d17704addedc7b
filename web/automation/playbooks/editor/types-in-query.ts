/** A query for entities of some types that also match another query. */
export interface TypedQuery {
  readonly types: readonly string[]
  readonly rest: string
}

const WITH_TYPES = /^(?:data\.)?type:(?:\(([\w-]+(?: OR [\w-]+)*)\)|([\w-]+))(?: AND (.+))?$/s

/** Separates the entity types at the start of a query from the rest; without any, the rest is the whole query. */
export function splitTypes(query: string): TypedQuery {
  const [, several, one, rest = ''] = WITH_TYPES.exec(query.trim()) ?? []
  const types = several?.split(' OR ') ?? (one === undefined ? [] : [one])
  if (types.length === 0 || !isStrict(rest)) return { types: [], rest: query }
  return { types, rest: outside(rest) === '_' && rest.startsWith('(') ? rest.slice(1, -1) : rest }
}

/** The query for entities of some types that match the rest. */
export function joinTypes({ types, rest }: TypedQuery): string {
  const trimmed = rest.trim()
  if (types.length === 0) return trimmed
  const typed = `data.type:${types.length === 1 ? types[0] : `(${types.join(' OR ')})`}`
  if (trimmed === '') return typed
  return `${typed} AND ${isStrict(trimmed) ? trimmed : `(${trimmed})`}`
}

/** Whether a query means the same after an AND as on its own: it is one term, or several that are all needed. */
const isStrict = (query: string): boolean =>
  outside(query)
    .split(' AND ')
    .every((term) => !/\s|\|\|/.test(term.replace(/^NOT /, '')))

/** The query without what is inside quotation marks and parentheses. */
function outside(query: string): string {
  let text = query.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '""')
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replaceAll(/[([{][^()[\]{}]*[)\]}]/g, '_')
  }
  return text
}
