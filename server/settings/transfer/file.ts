import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { collections } from '../../collections.ts'
import type { Context, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Answer, Incoming } from '../../engine/route.ts'
import type { Objects } from './export-objects.ts'
import type { Change } from './install.ts'
import { PORTABLE } from './portable.ts'

const FORMAT = 'corvus-configuration'
const VERSION = 1
/** Maximum number of objects per collection. */
const MAX_OBJECTS = 10_000

const objects = z.strictObject(
  Object.fromEntries(
    PORTABLE.map(({ collection }) => [collection, z.array(z.looseObject({})).max(MAX_OBJECTS).optional()]),
  ),
)

/** A file that carries configuration from one installation to another. */
export const transferFile = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  exported_at: z.string().optional(),
  left_out: z.array(z.string()).optional().describe('Collections that the exporting user may not read.'),
  knowledge_pack: z.string().optional().describe('The name of the knowledge pack, if the file is one.'),
  objects: objects.default({}).describe('By collection. References are names.'),
  settings: z
    .record(z.string(), z.looseObject({}))
    .default({})
    .describe('Configuration records, without their secrets.'),
})

export type TransferFile = z.output<typeof transferFile>

/** A file as a download. */
export const asDownload = (content: Partial<TransferFile> & { objects: Objects }, name: string): Answer => ({
  status: 200,
  headers: { 'content-disposition': `attachment; filename="${name}.json"` },
  body: { format: FORMAT, version: VERSION, exported_at: new Date().toISOString(), ...content },
})

/** What happens to the objects of a file. */
export const shownChange = z.object({
  collection: z.string(),
  name: z.unknown(),
  object: z.url().nullable().describe('Null if a preview would create it.'),
  action: z.enum(['create', 'update', 'unchanged', 'delete']),
  fields: z.array(z.string()).optional(),
})

export function showChange(
  { baseUrl }: Context,
  { id, ...change }: Change,
  isPreview: boolean,
): z.output<typeof shownChange> {
  const { collection, name, action, fields } = change
  return {
    collection: collections[collection].path,
    name,
    object: isPreview && action === 'create' ? null : toUrl(baseUrl, collection, id),
    action,
    ...(fields && { fields: [...fields] }),
  }
}

/** Whether a request is only a preview. */
export function isPreview({ query }: Incoming): boolean {
  const [value = 'false', ...more] = query.preview ?? []
  if (more.length > 0 || (value !== 'true' && value !== 'false')) throw badRequest('preview: must be true or false')
  return value === 'true'
}

/**
 * Runs the work, and rolls it back for a preview, so that a preview responds exactly like the real run. A savepoint
 * would not do: rows written inside one carry another transaction id, and checks that look for new rows would miss
 * them.
 */
export async function previewed<T>(db: Kysely<unknown>, isOnly: boolean, work: () => Promise<T>): Promise<T> {
  if (!isOnly) return work()
  const result = await work()
  await sql`set constraints all immediate`.execute(db)
  await sql`rollback and chain`.execute(db)
  return result
}

/** A name that is safe in a header and on every disk. */
export const fileNameOf = (item: Item): string =>
  String(item.name ?? '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
    .slice(0, 80) || 'knowledge-pack'
