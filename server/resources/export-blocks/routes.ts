import { sql } from 'kysely'
import { CONTENT_TYPES } from '../../domain/content-types.ts'
import { defineAction } from '../../engine/action.ts'
import { notFound, unavailable } from '../../engine/errors.ts'
import { type Id, parseId } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { type Content, contentAnswer } from '../content-answer.ts'
import { sweepSoon } from '../stored-blobs/sweep-soon.ts'

interface Request {
  readonly id: Id
  readonly headers: Incoming['headers']
}

interface Block {
  readonly content_type: string
  readonly filename: string
  readonly sha256: string
  readonly size: number
  readonly losses: string | null
  readonly losses_size: number | null
  readonly signature: string | null
}

/** Something that belongs to a block, as a download. */
function part(
  name: string,
  summary: string,
  contentOf: (ctx: Context, block: Block) => Content & { readonly served: string },
): Route<Request, Answer> {
  return {
    method: 'GET',
    path: `/export-blocks/:id/${name}`,
    permission: 'read entities',
    doc: {
      operationId: `${name}_export_block`,
      summary,
      tag: 'export_blocks',
      success: { 200: null, 206: null, 304: null },
      refusals: [404, 416],
    },
    parse: ({ params, headers }) => ({ id: idOf(params.id), headers }),
    run: async (ctx, { id, headers }) => {
      const content = contentOf(ctx, await findBlock(ctx, id))
      const answer = contentAnswer(headers, content)
      // It is saved, never shown: a program that fetches it may know what it is.
      return answer.stream ? { ...answer, headers: { ...answer.headers, 'content-type': content.served } } : answer
    },
    answer: (answer) => answer,
  }
}

/** What can be done with a block beside looking at it. */
export const blockRoutes: readonly Route[] = [
  part('download', 'Download an exported document', (ctx, { content_type, filename, sha256, size }) => ({
    ...stored(ctx, filename, sha256, size),
    served: CONTENT_TYPES.find(({ urn }) => urn === content_type)?.mediaType ?? 'application/octet-stream',
  })),
  part('losses', 'Read what could not be written into an exported document, one JSON object a line', (ctx, block) => ({
    ...stored(ctx, `${block.filename}.losses.ndjson`, block.losses, block.losses_size ?? 0),
    served: 'application/x-ndjson',
  })),
  part('signature', 'Download the detached OpenPGP signature of an exported document', (_, block) => {
    const { signature, filename, sha256 } = block
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
  }),
  defineAction({
    name: 'delete_export_blocks',
    doc: 'Delete an exported document of your own',
    tag: 'export_blocks',
    method: 'DELETE',
    path: '/export-blocks/:id',
    permission: 'read entities',
    refusals: [404],
    run: async (ctx, _, { params }) => {
      await standard.remove(ctx, resourceOf(ctx, 'export_blocks'), [idOf(params.id)])
      await sweepSoon(ctx)
    },
  }),
]

function idOf(text = ''): Id {
  const id = parseId('integer', text)
  if (id === undefined) throw notFound(text)
  return id
}

async function findBlock(ctx: Context, id: Id): Promise<Block> {
  const { rows } = await sql<Block>`
    select t.content_type, t.filename, t.sha256, t.losses, t.signature, b.size, l.size as losses_size
    from export_blocks as t
    join stored_blobs as b on b.key = t.sha256
    left join stored_blobs as l on l.key = t.losses
    where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'export_blocks'))}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
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
