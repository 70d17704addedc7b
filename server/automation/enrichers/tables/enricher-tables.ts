import { Readable } from 'node:stream'
import { z } from 'zod'
import { latestStateOf } from '../../../background/owned-tasks.ts'
import { schedule } from '../../../domain/schedule.ts'
import type { AnyRow, Context, Item } from '../../../engine/context.ts'
import { badRequest } from '../../../engine/errors.ts'
import { get, requireVisible } from '../../../engine/fetch.ts'
import { computed, int, json, oneOf, ref, string, strings, text, timestamp } from '../../../engine/field.ts'
import { present } from '../../../engine/present.ts'
import { readId } from '../../../engine/query.ts'
import { defineResource } from '../../../engine/resource.ts'
import type { Incoming, Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { stamps } from '../../../engine/stamps.ts'
import { readForm } from '../../../exchange/files/multipart.ts'
import type { Spooled } from '../../../ports/blobs.ts'
import { webAddress } from '../../../settings/values.ts'
import { loadTable } from './load-table.ts'
import { TABLE_FORMATS } from './read-table.ts'
import { spooled } from './spooled.ts'
import { tableOperations } from './table-operations.ts'

const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/
const MAX_COLUMNS = 200

interface Received {
  readonly id: number
  readonly request: Pick<Incoming, 'headers' | 'body'>
}

/** Receives the content of a table: as multipart/form-data with a part `file`, as JSON with base64 in `data`, or as it is. */
const loadContent: Route<Received, AnyRow> = {
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
  { headers, body }: Received['request'],
  load: (content: Spooled) => Promise<unknown>,
): Promise<void> {
  const type = String(headers['content-type'] ?? '')
  if (!(body instanceof Readable)) throw badRequest('The body is empty.')
  if (type.startsWith('multipart/form-data')) {
    const { file } = await readForm(body, headers, (content) => spooled(ctx, content))
    if (!file) throw badRequest('file: is required')
    await using taken = file.taken
    await load(taken)
    return
  }
  await using taken = await spooled(ctx, body)
  // A JSON document is a table itself, unless it is a wrapper of base64.
  const data = type.startsWith('application/json') ? base64In(await wholeOf(taken)) : undefined
  if (!data) {
    await load(taken)
    return
  }
  await using content = await spooled(ctx, Readable.from([data]))
  await load(content)
}

const wholeOf = async (content: Spooled): Promise<string> =>
  Buffer.concat(await Array.fromAsync(content.open())).toString('utf8')

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
      .describe(
        'csv: with commas, tabs or semicolons. json: a list, an object with a list, or warning lists of MISP. list: one value per line, `#` begins a comment. mmdb: a MaxMind database.',
      ),
    key_column: text(0, 200)
      .default('')
      .describe('The column or property that is compared, for csv and json; `value` if not given.'),
    end_column: text(0, 200)
      .default('')
      .describe('The column with the last address of a range, whose first address is in `key_column`.'),
    columns: strings()
      .accepts(z.array(string(1, 200)).max(MAX_COLUMNS))
      .describe('The names of the columns of a csv file without a header.'),
    url: text()
      .accepts(webAddress())
      .nullable()
      .describe('From where its task downloads the content. It may be compressed, or an archive with one table.'),
    execution_schedule: json(schedule).nullable().default(null).describe('When the content is downloaded again.'),
    task: ref('tasks').nullable().readOnly().describe('Its task, whose runs download the content.'),
    status: computed('text', z.string().nullable(), latestStateOf('t.task')).describe('The state of its latest run.'),
    rows: int().readOnly().describe('The number of rows; 0 for mmdb.'),
    size: computed('bigint', z.int(), 't.size').describe('In bytes.'),
    loaded_at: timestamp().nullable().readOnly().describe('When its content was last replaced; null if it has none.'),
    ...stamps,
  },
  operations: tableOperations,
  routes: (standard) => [loadContent, ...standard],
  example: { name: 'own-networks', format: 'csv', key_column: 'address', description: 'Addresses of our offices.' },
})
