import { Readable } from 'node:stream'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context, Item } from '../../engine/context.ts'
import { ApiError, badRequest } from '../../engine/errors.ts'
import { retried } from '../../engine/retried.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Content } from '../../intelligence/attachments/content.ts'
import { blobsOf, keepBlobs } from '../../intelligence/stored-blobs/store.ts'
import { type Draft, TooLarge } from '../../ports/blobs.ts'
import { bodyOfFields } from './form-fields.ts'
import { readForm } from './multipart.ts'

/** A parsed body, or a form that is still arriving. */
type Asked = { readonly read: unknown } | { readonly form: Readable; readonly request: Incoming }

interface Done {
  readonly result: unknown
  /** The body as parsed by the standard endpoint. */
  readonly input: unknown
}

/** Wraps a standard endpoint that creates files: contents are stored before its transaction begins, and forms are read as they arrive. */
export const uploading = (route: Route): Route<Asked, Done> => ({
  method: route.method,
  path: route.path,
  permission: route.permission,
  doc: route.doc,
  takes: 'multipart/form-data',
  isDetached: true,
  parse: async (request) =>
    request.body instanceof Readable ? { form: request.body, request } : { read: await route.parse(request) },
  run: async (ctx, asked) => {
    await using drafts = new AsyncDisposableStack()
    const taken = 'form' in asked ? await receiveForm(ctx, route, asked, drafts) : await receiveData(ctx, asked, drafts)
    await keepBlobs(ctx, taken.drafts)
    // Before the transaction begins, so that it does not wait for the disk.
    await drafts.disposeAsync()
    const { input } = taken
    const transact = () => ctx.db.transaction().execute((db) => route.run({ ...ctx, db, lookup: undefined }, input))
    return { result: await retried(transact), input }
  },
  answer: ({ result, input }, ctx) => route.answer(result, ctx, input),
})

interface Taken {
  readonly input: unknown
  readonly drafts: readonly Draft[]
}

async function receiveForm(
  ctx: Context,
  route: Route,
  { form, request }: Extract<Asked, { form: unknown }>,
  kept: AsyncDisposableStack,
): Promise<Taken> {
  refuseByLength(ctx, request)
  const { fields, file } = await readForm(form, request.headers, (content) => receive(ctx, 'file', content))
  if (!file) throw badRequest('file: is required')
  const draft = kept.use(file.taken)
  const resource = resourceOf(ctx, 'files')
  const body = {
    name: file.name,
    ...(file.type !== '' && { content_type: file.type }),
    ...bodyOfFields(resource, fields),
  }
  const input = await route.parse({ ...request, body })
  for (const item of itemsOf(input)) Object.assign(item, { sha256: draft.sha256 })
  return { input, drafts: [draft] }
}

async function receiveData(ctx: Context, { read }: { read: unknown }, kept: AsyncDisposableStack): Promise<Taken> {
  const items = itemsOf(read)
  const faults = items.flatMap(({ data }, i) => (data ? [] : [`${itemPrefix(items, i)}data: is required`]))
  if (faults.length > 0) throw badRequest(faults)
  const drafts: Draft[] = []
  for (const [position, item] of items.entries()) {
    const { bytes } = item.data as Content
    const draft = kept.use(await receive(ctx, `${itemPrefix(items, position)}data`, Readable.from([bytes])))
    drafts.push(draft)
    Object.assign(item, { sha256: draft.sha256, data: undefined })
  }
  return { input: read, drafts }
}

/** The items of a POST or a PUT, as parsed by the standard endpoint. */
function itemsOf(input: unknown): Item[] {
  const { items } = input as { items?: Item[] }
  return items ?? [input as Item]
}

async function receive(ctx: Context, field: string, content: AsyncIterable<Uint8Array>): Promise<Draft> {
  try {
    return await blobsOf(ctx).receive(content, ctx.largestFile)
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(field, error.mostBytes) : error
  }
}

/** Refuses a body by its Content-Length, without reading it. */
function refuseByLength({ largestFile = Number.POSITIVE_INFINITY }: Context, { headers }: Incoming): void {
  if (Number(headers['content-length'] ?? 0) > largestFile + MAX_FORM_OVERHEAD) throw tooLarge('file', largestFile)
}

const MAX_FORM_OVERHEAD = 8 * 1024 * 1024

const tooLarge = (field: string, mostBytes: number): ApiError =>
  new ApiError(413, `${field}: must be at most ${mostBytes} bytes.`)
