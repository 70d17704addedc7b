import { Readable } from 'node:stream'
import { z } from 'zod'
import type { AnyRow, Context, Item } from '../../../engine/context.ts'
import { badRequest } from '../../../engine/errors.ts'
import { get, requireVisible } from '../../../engine/fetch.ts'
import { computed, int, oneOf, text, timestamp } from '../../../engine/field.ts'
import { present } from '../../../engine/present.ts'
import { readId } from '../../../engine/query.ts'
import { defineResource } from '../../../engine/resource.ts'
import type { Incoming, Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { stamps } from '../../../engine/stamps.ts'
import { readForm } from '../../../exchange/files/multipart.ts'
import { loadTable } from './load-table.ts'
import { TABLE_FORMATS } from './read-table.ts'
import { spooled } from './spooled.ts'

const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/

interface Loaded {
  readonly id: number
  readonly request: Pick<Incoming, 'headers' | 'body'>
}

/** Receives the content of a table: as multipart/form-data with a part `file`, as JSON with base64 in `data`, or as it is. */
const loadContent: Route<Loaded, AnyRow> = {
  method: 'PUT',
  path: '/enricher-tables/:id/content',
  permission: 'modify enrichers',
  doc: {
    operationId: 'load_enricher_tables',
    summary:
      'Replace the content of a table: multipart/form-data with a part `file`, JSON with base64 in `data`, or the bytes themselves',
    tag: 'enricher_tables',
    success: { 200: z.object({ data: z.looseObject({}) }) },
    refusals: [400, 404, 413],
  },
  takes: 'anything',
  isDetached: true,
  parse: ({ params, headers, body }) => ({
    id: Number(readId(enricherTables, params.id ?? '')),
    request: { headers, body },
  }),
  run: async (ctx, { id, request }) => {
    const resource = resourceOf(ctx, 'enricher_tables')
    await requireVisible(ctx, resource, id)
    await receive(ctx, request, (content) => loadTable(ctx, id, content))
    return get(ctx, resource, id)
  },
  answer: (row, ctx) => ({ status: 200, body: { data: present(ctx, resourceOf(ctx, 'enricher_tables'), row) } }),
}

async function receive(
  ctx: Context,
  { headers, body }: Loaded['request'],
  load: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const type = String(headers['content-type'] ?? '')
  if (!(body instanceof Readable)) throw badRequest('The body is empty.')
  if (type.startsWith('multipart/form-data')) {
    const { file } = await readForm(body, headers, (content) => spooled(ctx, content))
    if (!file) throw badRequest('file: is required')
    await using taken = file.taken
    return await load(taken.open())
  }
  await using taken = await spooled(ctx, body)
  if (!type.startsWith('application/json')) return await load(taken.open())
  const text = Buffer.concat(await Array.fromAsync(taken.open())).toString('utf8')
  // A JSON document is a table itself, unless it is a wrapper of base64.
  const data = base64In(text)
  return await load(Readable.from([data ?? Buffer.from(text)]))
}

function base64In(text: string): Buffer | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    const inner = isItem(parsed) && isItem(parsed.data) ? parsed.data : parsed
    const data = isItem(inner) ? inner.data : undefined
    return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined
  } catch {
    return undefined
  }
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

export const enricherTables = defineResource({
  collection: 'enricher_tables',
  title: 'Enricher table',
  doc: 'A table that functions look observables up in without calling a service. Its content is sent to `/enricher-tables/{id}/content`.',
  permission: 'enrichers',
  key: ['name'],
  fields: {
    name: text()
      .accepts(z.string().regex(NAME, 'must be at most 100 lower-case letters, digits, hyphens and underscores'))
      .required(),
    description: text(0, 10_000).default(''),
    format: oneOf(TABLE_FORMATS)
      .required()
      .describe('list: one value per line, `#` begins a comment. mmdb: a MaxMind database.'),
    key_column: text(0, 200).default('').describe('The column or property that is compared, for csv and json.'),
    rows: int().readOnly().describe('The number of rows; 0 for mmdb.'),
    size: computed('bigint', z.int(), 't.size').describe('In bytes.'),
    loaded_at: timestamp().nullable().readOnly().describe('When its content was last replaced; null if it has none.'),
    ...stamps,
  },
  routes: (standard) => [loadContent, ...standard],
  example: { name: 'own-networks', format: 'csv', key_column: 'address', description: 'Addresses of our offices.' },
})
