import { Readable } from 'node:stream'
import { csvLine } from '../domain/csv.ts'
import type { Context } from './context.ts'
import type { Page, Resource } from './definition.ts'
import type { ListPlan } from './list-plan.ts'
import { present } from './present.ts'
import { MAXIMUM_LIMIT, planList } from './query.ts'
import type { Incoming, Route } from './route.ts'
import { standard } from './standard.ts'
import { boundToWork } from './work.ts'

type Query = Incoming['query']

interface Wanted {
  readonly query: Query
  readonly plan: ListPlan
}

/** `GET {path}/export`: everything that the filters of a list match, streamed as a CSV file. */
export function csvExport(resource: Resource, path: string): Route<Wanted, Page> {
  return {
    method: 'GET',
    path: `${path}/export`,
    permission: `read ${resource.permission}`,
    isExport: true,
    doc: {
      operationId: `export_${resource.collection}`,
      summary: `Export every ${resource.title.toLowerCase()} as CSV, with the filters and the sort of the list`,
      tag: resource.collection,
      success: { 200: null },
      refusals: [400],
    },
    parse: ({ query }) => ({ query, plan: planOf(resource, query) }),
    // The first page is read before the response begins: until then an error can still be reported.
    run: (ctx, { plan }) => standard.list(ctx, resource, plan),
    answer: (first, ctx, { query }) => ({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${path.slice(1)}.csv"`,
      },
      stream: Readable.from(pieces(ctx, resource, first, pageOf(ctx, resource, query)), { objectMode: false }),
    }),
  }
}

/** A file has neither pages nor a total: counting stops at once. */
const planOf = (resource: Resource, query: Query, cursor?: string): ListPlan => ({
  ...planList(resource, cursor === undefined ? query : { ...query, 'page[cursor]': [cursor] }),
  limit: MAXIMUM_LIMIT,
  offset: 0,
  attributes: null,
  countOnly: false,
  cap: 1,
})

/** Reads the page at a cursor, as part of the request. */
const pageOf = (ctx: Context, resource: Resource, query: Query) =>
  boundToWork((cursor: string) => standard.list(ctx, resource, planOf(resource, query, cursor)))

async function* pieces(
  ctx: Context,
  resource: Resource,
  first: Page,
  read: ReturnType<typeof pageOf>,
): AsyncGenerator<string> {
  const names = ['id', ...Object.keys(resource.fields)]
  yield csvLine(names)
  for (let page = first; ; ) {
    const lines = page.rows.map((row) => {
      const shown = present(ctx, resource, row)
      return csvLine(names.map((name) => shown[name]))
    })
    yield lines.join('')
    if (page.cursor === null) return
    page = await read(page.cursor)
  }
}
