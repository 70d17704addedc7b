import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Document } from '../../formats/document.ts'
import type { Spooled } from '../../ports/blobs.ts'
import { readFramework } from '../frameworks/read-framework.ts'
import { candidatesIn } from './candidates.ts'
import { reportOf } from './change-report.ts'
import { completed } from './complete.ts'
import { withDocument } from './document.ts'
import { packed } from './packed.ts'
import { formerNames, readStored } from './stored.ts'

/** Where a document comes from, and the version that the caller says it is. */
export interface Origin {
  /** The name of the file, or the URL. */
  readonly origin: string
  readonly version: string | undefined
}

/** Compares a document with what is stored, and keeps it so that it can be loaded. Returns the id of the preview. */
export const previewOf = (ctx: Context, content: Spooled, { origin, version }: Origin): Promise<number> =>
  withDocument(ctx, content, async (document) => {
    const hash = createHash('sha256')
    const read = await readFramework(watched(document, hash), (matrix) => formerNames(ctx.db, matrix))
    const stored = await readStored(ctx.db, read.framework.matrix)
    const named = version ?? read.framework.version ?? versionIn(origin) ?? read.modified
    if (named === null) throw badRequest('version: is required, because the document does not say its version.')
    const framework = completed({ ...read.framework, version: named }, stored.nodes)
    const report = reportOf(stored, framework, read.warnings)
    const content = await packed(framework)
    const { rows } = await sql<{ id: number }>`
      insert into framework_loads (matrix, version, previous_version, origin, size, hash, compared_with, report, document, created_by)
      values (${framework.matrix}, ${named}, ${stored.version}, ${origin}, ${document.size}, ${hash.digest('hex')}, ${stored.loaded_at},
        ${JSON.stringify({ ...report, candidates: candidatesIn(stored, framework) })}::jsonb, ${content}, nullif(${ctx.caller.id}::integer, 0))
      returning id`.execute(ctx.db)
    return rows[0]?.id ?? 0
  })

/** The version in the name of a file: official bundles of STIX 2.0 do not say theirs, and are named enterprise-attack-17.1.json. */
const versionIn = (origin: string): string | undefined => /[-_]v?(\d{1,3}\.\d{1,3})\.(?:json|gz|zip)/i.exec(origin)?.[1]

/** The same document; what is read of it is hashed. */
const watched = (document: Document, hash: { update(bytes: Buffer): unknown }): Document => ({
  ...document,
  async *open() {
    for await (const chunk of document.open()) {
      hash.update(chunk)
      yield chunk
    }
  },
})
