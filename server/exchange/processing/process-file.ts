import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../../background/task.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { CsvMapping } from '../../formats/csv/mapping.ts'
import { type Document, DocumentError } from '../../formats/document.ts'
import { asCaller } from '../../identity/access/as-caller.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import { processDocument } from './process-document.ts'

/** The fields of a file that its import needs. */
interface FileRow {
  readonly id: number
  readonly name: string
  readonly sha256: string
  readonly size: number
  readonly source: string | null
  readonly tags: readonly string[]
  readonly tlp_color: string | null
  readonly password: string | null
  readonly csv_mapping: CsvMapping | null
}

/** Imports a file. */
export const processFile = defineTask({
  type: 'process-file',
  doc: 'Imports a file, with the permissions of the user who starts it.',
  parameters: z.object({ file: z.int().describe('The id of the file.') }),
  expireInSeconds: 6 * 3600,
  run: async (job) => {
    const file = await findFile(job, job.parameters.file)
    const document: Document = {
      name: file.name,
      size: file.size,
      open: () => blobsOf(job).open(file.sha256),
    }
    try {
      return await processContent(job, file, document)
    } catch (error) {
      if (error instanceof DocumentError) throw new TaskError(error.message, { isFinal: true })
      throw error
    }
  },
})

async function processContent(job: Job<unknown>, file: FileRow, document: Document) {
  const result = await processDocument({
    job,
    file: file.id,
    document,
    csvMapping: file.csv_mapping,
    password: file.password === null ? undefined : job.vault.open(file.password),
    given: { source: file.source ?? undefined, tags: file.tags, tlp: file.tlp_color },
    act: (run) => asCaller(job, NEEDED, 'read committed', run),
  })
  // Keeps the password of a file of unknown format for a later import.
  if (result.format === 'unknown') return { result: { format: result.format, objects: 0 } }
  await sql`update files set password = null where id = ${file.id} and password is not null`.execute(job.db)
  return { result, ...(result.lost > 0 && { outcome: 'WARNING' as const }) }
}

const NEEDED = ['modify entities']

/** Reads the file with the sight of the user who started the run. */
async function findFile(job: Job<unknown>, id: number): Promise<FileRow> {
  const found = await asCaller(job, ['modify files'], 'read committed', async (ctx) => {
    const { rows } = await sql<FileRow>`
      select t.id, t.name, t.sha256, b.size, t.source, t.tags, t.tlp_color, t.password, coalesce(t.inline_csv_mapping, (
        select jsonb_build_object('columns', m.columns, 'mappings', m.mappings, 'config', m.config,
          'default_field_values', m.default_field_values)
        from csv_mappings as m where m.id = t.csv_mapping)) as csv_mapping
      from files as t join stored_blobs as b on b.key = t.sha256
      where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'files'))}`.execute(ctx.db)
    return rows[0]
  })
  if (!found) throw new TaskError(`There is no file ${id}.`, { isFinal: true })
  return found
}
