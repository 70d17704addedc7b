import { notFound, unavailable } from '../engine/errors.ts'
import { type Id, parseId } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import type { Answer, Incoming, Route } from '../engine/route.ts'
import { CONTENT_TYPES } from '../formats/formats.ts'
import { type Content, contentAnswer } from '../http/content-answer.ts'

/** A document that was written into a block, with what belongs to it. */
export interface Block {
  readonly content_type: string
  readonly filename: string
  readonly sha256: string
  readonly size: number
  readonly losses: string | null
  readonly losses_size: number | null
  readonly signature: string | null
  readonly created_at: string
}

/** Bytes of a block, and what a program hears that they are. */
type Part = Content & { readonly served: string }

/** The document itself. */
export const documentOf = (ctx: Context, { content_type, filename, sha256, size, created_at }: Block): Part => ({
  ...stored(ctx, filename, sha256, size),
  modifiedAt: created_at,
  served: CONTENT_TYPES.find(({ urn }) => urn === content_type)?.mediaType ?? 'application/octet-stream',
})

/** What could not be written into it, one JSON object a line. */
export const lossesOf = (ctx: Context, { filename, losses, losses_size }: Block): Part => ({
  ...stored(ctx, `${filename}.losses.ndjson`, losses, losses_size ?? 0),
  served: 'application/x-ndjson',
})

/** Its detached OpenPGP signature; a 404 where it has none. */
export function signatureOf(_: Context, { filename, sha256, signature }: Block): Part {
  if (signature === null) throw notFound('signature')
  const bytes = Buffer.from(signature)
  return {
    name: `${filename}.asc`,
    tag: `${sha256}-asc`,
    size: bytes.length,
    type: 'application/pgp-signature',
    served: 'application/pgp-signature',
    read: async function* ({ start, end }) {
      yield bytes.subarray(start, end)
    },
  }
}

/** Answers bytes of a block. They are saved, never shown: a program that fetches them may know what they are. */
export function partAnswer(headers: Incoming['headers'], part: Part): Answer {
  const answer = contentAnswer(headers, part)
  return answer.stream ? { ...answer, headers: { ...answer.headers, 'content-type': part.served } } : answer
}

interface Request {
  readonly id: Id
  readonly headers: Incoming['headers']
}

/** Where a collection of blocks is, and how one of them is found. */
interface Blocks {
  readonly collection: string
  readonly path: string
  readonly permission: string
  readonly refusals?: readonly number[]
  find(ctx: Context, id: Id): Promise<Block>
}

/** Something that belongs to a block, as a download. */
export const partRoute = (
  { collection, path, permission, refusals = [], find }: Blocks,
  name: string,
  summary: string,
  partOf: (ctx: Context, block: Block) => Part,
): Route<Request, Answer> => ({
  method: 'GET',
  path: `${path}/:id/${name}`,
  permission,
  doc: {
    operationId: `${name}_${collection}`,
    summary,
    tag: `${collection}s`,
    success: { 200: null, 206: null, 304: null },
    refusals: [404, ...refusals, 416],
  },
  parse: ({ params, headers }) => ({ id: blockId(params.id), headers }),
  run: async (ctx, { id, headers }) => partAnswer(headers, partOf(ctx, await find(ctx, id))),
  answer: (answer) => answer,
})

/** The id of a block in a path. */
export function blockId(text = ''): Id {
  const id = parseId('integer', text)
  if (id === undefined) throw notFound(text)
  return id
}

/** Bytes behind the port; no key stands for none. */
function stored({ blobs }: Context, name: string, key: string | null, size: number): Content {
  if (!blobs) throw unavailable('No files are kept here.')
  return {
    name,
    tag: key ?? 'empty',
    size,
    type: 'application/octet-stream',
    read: async function* (span) {
      if (key !== null) yield* blobs.open(key, span)
    },
  }
}
