import type { Query } from '../../server/search/query/ast.ts'
import { printQuery } from '../../server/search/query/print.ts'
import { evaluate } from './evaluate.ts'
import type { Corvus, World } from './world.ts'

/** A difference between the search and the plain evaluation. */
export interface Fault {
  /** Groups differences that are alike. */
  readonly kind: string
  readonly text: string
}

/** Small enough that results span many pages. */
const PAGE = 7

/** Compares the search with the plain evaluation of a query; undefined if they agree. */
export async function compare(corvus: Corvus, world: World, query: Query): Promise<Fault | undefined> {
  const before = new Date()
  const { status, body } = await corvus.call('GET', `${pathOf(query)}&limit=2000`)
  if (status !== 200) return faultOf(world, query, `is answered ${status}`, JSON.stringify(body))
  const ids: string[] = body.data.map(({ id }: { id: string }) => id)
  if (body.total_count !== ids.length) {
    return faultOf(world, query, 'is counted wrongly', `total_count ${body.total_count}, rows ${ids.length}`)
  }
  const stray = ids.find((id) => !world.known.ids.includes(id))
  if (stray !== undefined) return faultOf(world, query, 'finds what is not there', stray)
  const got = new Set(ids)
  const wrong = world.entities.find(({ searchable }) => {
    const expected = evaluate(query, searchable, before)
    // The search ran between these two moments.
    return expected !== got.has(searchable.id) && evaluate(query, searchable, new Date()) === expected
  })
  if (!wrong) return got.size === ids.length ? undefined : faultOf(world, query, 'finds one twice', ids.join(' '))
  const { id } = wrong.searchable
  const sides = got.has(id) ? 'found, and does not match' : 'not found, and matches'
  const count = world.entities.filter(({ searchable }) => evaluate(query, searchable, before)).length
  const entity = JSON.stringify(wrong.answered, null, 1)
  return faultOf(world, query, 'differs', `${id} is ${sides}; ${ids.length} found, ${count} match\n${entity}`)
}

/** Reads all pages of a query: each matching entity must be on exactly one of them. */
export async function compareWalk(corvus: Corvus, world: World, query: Query): Promise<Fault | undefined> {
  const now = new Date()
  const path = pathOf(query)
  const walked: string[] = []
  // If the pages never ended, they would contain repeats.
  for (let cursor: string | null = ''; cursor !== null && walked.length <= world.entities.length; ) {
    const page: string = cursor === '' ? '' : `&page[cursor]=${encodeURIComponent(cursor)}`
    const { status, body } = await corvus.call('GET', `${path}&limit=${PAGE}${page}`)
    if (status !== 200) return faultOf(world, query, `is answered ${status} on a page`, JSON.stringify(body))
    walked.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.cursor
  }
  const expected = world.entities.flatMap(({ searchable }) => (evaluate(query, searchable, now) ? searchable.id : []))
  if (isSame(walked, expected)) return undefined
  return faultOf(world, query, 'walks another way', `pages:\n${walked.join('\n')}\nmatching:\n${expected.join('\n')}`)
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()

/** The smallest part of a query that still differs. */
export async function shrink(corvus: Corvus, world: World, query: Query, fault: Fault): Promise<Fault> {
  for (const part of partsOf(query)) {
    const smaller = await compare(corvus, world, part)
    if (smaller) return shrink(corvus, world, part, smaller)
  }
  return fault
}

function partsOf(query: Query): Query[] {
  if (query.kind === 'boost') return [query.query]
  if (query.kind !== 'bool') return []
  const { clauses } = query
  const without = clauses.map((left) => ({ ...query, clauses: clauses.filter((clause) => clause !== left) }))
  return [...clauses.map((clause) => clause.query), ...(clauses.length > 1 ? without : [])]
}

const pathOf = (query: Query): string => `entities?query=${encodeURIComponent(printQuery(query))}&attributes=id`

const faultOf = ({ seed }: World, query: Query, what: string, details: string): Fault => ({
  kind: `${query.kind} ${'field' in query ? query.field : ''} ${what}`,
  text: `SEARCH_SEED=${seed}\n${printQuery(query)}\n${JSON.stringify(query)}\n${what}: ${details.slice(0, 5000)}`,
})
