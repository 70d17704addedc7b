import { isKept, readTip } from '../../background/followers/change-log.ts'
import { readPositions } from '../../background/followers/position.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest, missing, unavailable } from '../../engine/errors.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { KINDS, type Kind, type Subscription } from '../streams/events.ts'
import { permissionsFor, SEARCHED, STREAMED, type Streamed } from '../streams/streamed.ts'
import { type Asked, GONE, streamOf } from './frames.ts'

const text = { type: 'string' }

const doc: Described = {
  operationId: 'stream_events',
  summary: 'Stream changes of objects as server-sent events while they happen',
  tag: 'events',
  query: [
    {
      name: 'collections',
      schema: text,
      description: `Comma-separated list of: ${STREAMED.join(', ')}. Default: all that you may read.`,
    },
    { name: 'kinds', schema: text, description: `Comma-separated list of: ${KINDS.join(', ')}. Default: all.` },
    {
      name: 'query',
      schema: text,
      description: `A Lucene query; needs exactly one collection, of: ${SEARCHED.join(', ')}. Deletions are reported regardless of the query.`,
    },
    {
      name: 'include_object',
      schema: { type: 'boolean' },
      description: 'Whether events contain the current object as `data`.',
    },
    {
      name: 'after',
      schema: text,
      description:
        'The id of the event to continue after; the header Last-Event-ID takes precedence. Default: events from now on.',
    },
  ],
  success: { 200: null },
  refusals: [400, 410, 422, 429],
}

/** The parsed request; `collections` is null for all that the caller may read. */
interface Plan extends Omit<Subscription, 'collections'> {
  readonly collections: readonly Streamed[] | null
  readonly after: string | null
}

export const eventRoutes: readonly Route<Plan, Asked>[] = [
  {
    method: 'GET',
    path: '/events',
    permission: null,
    doc,
    parse: readPlan,
    run: prepare,
    answer: (asked, ctx) => {
      if (!ctx.streams) throw unavailable('This process does not serve streams.')
      return {
        status: 200,
        // X-Accel-Buffering keeps proxies from buffering events. A stream ends with its connection, so that a stopping server does not
        // wait for further requests on it.
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
          connection: 'close',
        },
        stream: streamOf(ctx, ctx.streams, asked),
      }
    },
  },
]

function readPlan({ query, headers }: Incoming): Plan {
  const faults: string[] = []
  const listed = <T extends string>(name: string, allowed: readonly T[]): T[] | null => {
    const given = query[name]?.flatMap((list) => list.split(',')).map((each) => each.trim().replaceAll('-', '_'))
    const unknown = given?.find((each) => !(allowed as readonly string[]).includes(each))
    if (unknown !== undefined) {
      faults.push(`${name}: must be some of ${allowed.join(', ')}, not '${unknown.slice(0, 40)}'.`)
    }
    return (given as T[] | undefined) ?? null
  }
  const collections = listed('collections', STREAMED)
  const kinds: readonly Kind[] = listed('kinds', KINDS) ?? KINDS
  const sought = query.query?.at(-1)?.trim() || null
  if (sought !== null && !(collections?.length === 1 && SEARCHED.includes(collections[0] ?? ''))) {
    faults.push(`query: needs exactly one of the collections ${SEARCHED.join(', ')}.`)
  }
  const isWhole = query.include_object?.at(-1) ?? 'false'
  if (!/^(true|false)$/i.test(isWhole)) faults.push('include_object: must be true or false.')
  if (faults.length > 0) throw badRequest(faults)
  const last = headers['last-event-id']
  const after = (typeof last === 'string' && last !== '' ? last : query.after?.at(-1)) || null
  return { collections, kinds, query: sought, include_object: /^true$/i.test(isWhole), after }
}

/** Checks everything that can be refused before the response begins. */
async function prepare(ctx: Context, { after, ...plan }: Plan): Promise<Asked> {
  const mayRead = (name: string) => ctx.caller.permissions.has(name)
  const lacking = permissionsFor(ctx, plan.collections ?? []).filter((name) => !mayRead(name))
  if (lacking.length > 0) throw missing(lacking)
  const collections = plan.collections ?? STREAMED.filter((each) => permissionsFor(ctx, [each]).every(mayRead))
  if (collections.length === 0) throw missing(permissionsFor(ctx, STREAMED))
  if (plan.query !== null) await resourceOf(ctx, collections[0] ?? 'entities').search?.query?.(ctx, plan.query)
  const positions = await readPositions(ctx.db)
  const place = after === null ? await readTip(ctx.db) : positions.read(after)
  if (!place) throw badRequest('after: is not the id of an event of this installation.')
  if (!(await isKept(ctx.db, place))) throw GONE
  return { ...plan, collections, after: place, positions }
}
