import { call } from '../../api/call.ts'

/** The entities whose attachments and addresses are submitted: queries that do not overlap. */
export interface EntitiesTarget {
  readonly queries: readonly string[]
  readonly detonators: readonly number[]
  readonly kinds: readonly SampleKind[]
  readonly options: Readonly<Record<string, unknown>>
}

export type SampleKind = 'attachments' | 'observables'

/** What a submission by query does, or would do. */
export interface QueryResult {
  readonly entities: number
  readonly files: number
  readonly urls: number
  readonly submissions: number
  readonly withheld: readonly {
    readonly detonator: number
    readonly name: string
    readonly reason: string
    readonly count: number
  }[]
  readonly detonations: readonly string[]
}

const NOTHING: QueryResult = { entities: 0, files: 0, urls: 0, submissions: 0, withheld: [], detonations: [] }

/** Adds up the results of several queries. */
export const totalOf = (results: readonly QueryResult[]): QueryResult =>
  results.reduce(
    (sum, each) => ({
      entities: sum.entities + each.entities,
      files: sum.files + each.files,
      urls: sum.urls + each.urls,
      submissions: sum.submissions + each.submissions,
      withheld: added(sum.withheld, each.withheld),
      detonations: [...new Set([...sum.detonations, ...each.detonations])],
    }),
    NOTHING,
  )

type Withheld = QueryResult['withheld']

function added(before: Withheld, more: Withheld): Withheld {
  const byReason = Map.groupBy([...before, ...more], ({ detonator, reason }) => `${detonator} ${reason}`)
  return [...byReason.values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, count: rest.reduce((sum, { count }) => sum + count, first.count) }] : [],
  )
}

/** Submits the attachments and addresses of entities, or says what that would do. */
export async function detonateEntities(
  { queries, ...rest }: EntitiesTarget,
  isDryRun: boolean,
  signal?: AbortSignal,
): Promise<QueryResult> {
  const results: QueryResult[] = []
  for (const entities_query of queries) {
    const data = { entities_query, ...rest, dry_run: isDryRun }
    results.push((await call<{ data: QueryResult }>('POST', 'entities/by-query/detonate', { data }, signal)).data)
  }
  return totalOf(results)
}

/** What would be submitted, in words: `2 files and 1 URL of 3 entities`. */
export function foundInWords({ entities, files, urls }: Pick<QueryResult, 'entities' | 'files' | 'urls'>): string {
  const counted = (count: number, one: string, many: string) =>
    `${count.toLocaleString('en')} ${count === 1 ? one : many}`
  return `${counted(files, 'file', 'files')} and ${counted(urls, 'URL', 'URLs')} of ${counted(entities, 'entity', 'entities')}`
}
