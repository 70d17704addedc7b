import { Readable } from 'node:stream'
import { z } from 'zod'
import { faultsOf, messageOf } from '../../../engine/body.ts'
import type { Context } from '../../../engine/context.ts'
import { badRequest, isTimeout, missing, tooBroad } from '../../../engine/errors.ts'
import type { ListPlan } from '../../../engine/list-plan.ts'
import { planList } from '../../../engine/query.ts'
import type { Answer, Incoming, Route } from '../../../engine/route.ts'
import { and, matches } from '../../../engine/select.ts'
import { boundToWork } from '../../../engine/work.ts'
import { counted } from '../../../formats/counted.ts'
import { FIELDS_CSV } from '../../../formats/csv/format.ts'
import { COLUMNS } from '../../../formats/fields-csv.ts'
import type { ContentType } from '../../../formats/format.ts'
import { CONTENT_TYPES } from '../../../formats/formats.ts'
import { inPieces } from '../../../formats/pieces.ts'
import { dispositionOf } from '../../../http/filename.ts'
import type { Described } from '../../../http/openapi/describe.ts'
import { findIds, type Snapshot } from '../../../intelligence/by-query/snapshot.ts'
import { entities } from '../../../intelligence/entities/entities.ts'
import { type Configuration, contentConfiguration, EVERYTHING } from '../configuration.ts'
import { requireFields } from '../fields.ts'
import { contentType, includeFields } from '../payload.ts'
import { configurationFor, filenameOf, permissionsFor } from '../rules.ts'
import { withRelated } from '../selection.ts'
import { letterheadOf, shipmentOf } from '../shipment.ts'

interface Asked {
  readonly plan: ListPlan
  readonly type: ContentType
  readonly configuration: Configuration
  readonly fields: readonly string[] | undefined
}

const doc: Described = {
  operationId: 'stream_entities',
  summary: 'Export entities directly: the response is the document, sent while it is written',
  tag: 'entities',
  query: [
    { name: 'content_type', schema: { type: 'string' }, description: 'The content type of the document, as a URN.' },
    {
      name: 'query',
      schema: { type: 'string' },
      description: 'Selects the entities, as in their list; so does `filter`.',
    },
    {
      name: 'content_configuration',
      schema: { type: 'string' },
      description: 'What is exported and what is left out, as JSON.',
    },
    {
      name: 'include_fields',
      schema: { type: 'string' },
      description: 'Instead of a content type: the columns of a CSV file, separated by commas.',
    },
  ],
  success: { 200: null },
  refusals: [400, 422],
}

/** An export that is not stored; it takes as long as the client takes to read it. */
export const streamExport: Route<Asked, Answer> = {
  method: 'GET',
  path: '/entities/export',
  permission: 'read entities',
  isExport: true,
  doc,
  parse: ({ query }) => readAsked(query),
  guards: ({ type, configuration }) => permissionsFor(type, configuration),
  run: async (ctx, { plan, type, configuration, fields }) => {
    if (fields) await requireFields(ctx, fields, COLUMNS)
    const inside = { ...ctx, at: plan.at }
    const found = await find(inside, plan, configuration)
    const letterhead = await letterheadOf(ctx, ctx.baseUrl, plan.at)
    const read = reader(inside, permissionsFor(type, configuration))
    const reading = { configuration, hasMemberships: type.needsFields, db: ctx.db, read }
    const shipment = counted(shipmentOf(letterhead, found, reading))
    let losses = 0
    const writer = await type.write(fields ?? COLUMNS)
    const pieces = inPieces(writer(shipment, () => losses++))
    // Waits for the first piece: once the response has begun, an error can no longer be reported.
    const first = await pieces.next()
    return {
      status: 200,
      headers: {
        'content-type': type.mediaType,
        'content-disposition': dispositionOf(filenameOf(type, plan.at)),
        'content-security-policy': "sandbox; default-src 'none'",
      },
      trailers: {
        'x-corvus-entities': () => String(shipment.counts().entities),
        'x-corvus-losses': () => String(losses),
      },
      stream: Readable.from(after(first, pieces), { objectMode: false }),
    }
  },
  answer: (answer) => answer,
}

/** Finds the entities to export by filters and query, within the time limit of lists. */
async function find(ctx: Context, plan: ListPlan, configuration: Configuration): Promise<Snapshot> {
  const sought = plan.query === null ? undefined : await entities.search?.query?.(ctx, plan.query)
  const filtered = await Promise.all(plan.filters.map((filter) => matches(ctx, entities, filter)))
  const isWanted = await withRelated(ctx, configuration, and([...(sought ? [sought.matches] : []), ...filtered]))
  return findIds(ctx, isWanted).catch((error) => {
    throw isTimeout(error)
      ? tooBroad('finding the entities takes too long; use an export block, which has more time.')
      : error
  })
}

/** Reads each portion in its own transaction with the caller's current permissions: a slow client must not hold a connection. */
function reader(ctx: Context, needed: readonly string[]) {
  return boundToWork(async <T>(work: (inside: Context) => Promise<T>): Promise<T> => {
    const caller = (await ctx.renew?.()) ?? ctx.caller
    const lacking = needed.filter((permission) => !caller.permissions.has(permission))
    if (lacking.length > 0) throw missing(lacking)
    return ctx.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((db) => work({ ...ctx, db, lookup: undefined, caller }))
  }) as <T>(work: (inside: Context) => Promise<T>) => Promise<T>
}

async function* after(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (!first.done) yield first.value
  yield* rest
}

const asked = z.object({
  content_type: contentType.optional(),
  include_fields: includeFields.optional(),
  content_configuration: contentConfiguration.default(EVERYTHING),
})

function readAsked(query: Incoming['query']): Asked {
  const plan = planList(entities, query)
  const columns = query.include_fields?.flatMap((names) => names.split(',')).map((name) => name.trim())
  const parsed = asked.safeParse(
    {
      content_type: query.content_type?.at(-1),
      include_fields: columns,
      content_configuration: readJson(query.content_configuration?.at(-1)),
    },
    { error: messageOf },
  )
  if (!parsed.success) throw badRequest(faultsOf(parsed.error, []))
  const { content_type, include_fields: fields, content_configuration: configuration } = parsed.data
  const urn = content_type ?? (fields ? FIELDS_CSV : undefined)
  const type = CONTENT_TYPES.find((known) => known.urn === urn)
  if (!type) throw badRequest('content_type: is required, unless there are include_fields')
  if (content_type && fields) throw badRequest('include_fields: cannot be combined with content_type')
  return { plan, type, configuration: configurationFor(type, configuration), fields }
}

function readJson(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badRequest(`content_configuration: must be JSON: ${(error as Error).message}`)
  }
}
