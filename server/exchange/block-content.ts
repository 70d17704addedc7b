import type { Context } from '../engine/context.ts'
import { notFound, unavailable } from '../engine/errors.ts'
import { type Id, parseId } from '../engine/reference.ts'
import type { Answer, Incoming, Route } from '../engine/route.ts'
import { CONTENT_TYPES } from '../formats/formats.ts'
import { type Content, contentAnswer } from '../http/content-answer.ts'

/** An exported document with its losses and signature. */
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

/** Content of a block, and the media type in the response. */
type Part = Content & { readonly served: string }

/** The document itself. */
export const documentOf = (ctx: Context, { content_type, filename, sha256, size, created_at }: Block): Part => ({
  ...stored(ctx, filename, sha256, size),
  modifiedAt: created_at,
  served: CONTENT_TYPES.find(({ urn }) => urn === content_type)?.mediaType ?? 'application/octet-stream',
})

/** The losses of a document, one JSON object per line. */
export const lossesOf = (ctx: Context, { filename, losses, losses_size }: Block): Part => ({
  ...stored(ctx, `${filename}.losses.ndjson`, losses, losses_size ?? 0),
  served: 'application/x-ndjson',
})

/** The detached OpenPGP signature of a document; a 404 if it is not signed. */
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

/** Responds with content of a block as a download, which browsers never display, under its true media type. */
export function partAnswer(headers: Incoming['headers'], part: Part): Answer {
  const answer = contentAnswer(headers, part)
  return answer.stream ? { ...answer, headers: { ...answer.headers, 'content-type': part.served } } : answer
}

interface Request {
  readonly id: Id
  readonly headers: Incoming['headers']
}

/** A collection of blocks, and how to find one. */
interface Blocks {
  readonly collection: string
  readonly path: string
  readonly permission: string
  readonly refusals?: readonly number[]
  find(ctx: Context, id: Id): Promise<Block>
}

/** The endpoint that downloads one part of a block. */
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

/** Reads the id of a block from a path. */
export function blockId(text = ''): Id {
  const id = parseId('integer', text)
  if (id === undefined) throw notFound(text)
  return id
}

/** Content in the blob store; null stands for empty content. */
function stored({ blobs }: Context, name: string, key: string | null, size: number): Content {
  if (!blobs) throw unavailable('This server does not store files.')
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
