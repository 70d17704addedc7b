import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Job } from '../../server/background/task.ts'
import type { Context } from '../../server/engine/context.ts'
import { importFile } from '../../server/exchange/importing/import-file.ts'
import { noteForFile } from '../../server/exchange/importing/note-for-file.ts'
import { tallyOf } from '../../server/exchange/importing/outcome.ts'
import type { ImportSettings } from '../../server/exchange/importing/parse-entity.ts'
import type { VersionedBy } from '../../server/exchange/importing/version-order.ts'
import { documentOf } from '../../server/formats/document.ts'
import type { Finding } from '../../server/formats/finding.ts'
import { asCaller } from '../../server/identity/access/as-caller.ts'
import { resourceMap } from '../../server/registry.ts'
import type { startApp } from '../app.ts'
import { bareServer } from '../background.ts'

type App = Awaited<ReturnType<typeof startApp>>

interface Manner {
  readonly given?: Partial<ImportSettings>
  readonly versionedBy?: VersionedBy
  readonly token?: string
  readonly from?: number
  readonly placeholders?: { left: number }
  /** Continues what another call began. */
  readonly begun?: { readonly file: number; readonly run: string }
}

/** The caller with this token. */
async function userOf(corvus: App, token: string): Promise<number> {
  const { body } = await corvus.call('GET', 'users/self', undefined, token)
  return body.data.id
}

/** Stores findings as a run for a file does, and returns their outcomes. */
export async function importFindings(corvus: App, findings: readonly Finding[], manner: Manner = {}) {
  const { given, versionedBy = 'modified', token = corvus.admin, from = 0, begun, placeholders } = manner
  const file = begun?.file ?? (await makeFile(corvus))
  const job: Job<unknown> = {
    ...bareServer(corvus),
    resources: resourceMap,
    id: begun?.run ?? randomUUID(),
    attempt: 1,
    parameters: {},
    callerId: await userOf(corvus, token),
    signal: new AbortController().signal,
    progress: () => undefined,
    log: () => undefined,
  }
  const readables = async function* () {
    yield {
      document: documentOf(''),
      async *read() {
        yield* findings
      },
      versionedBy,
    }
  }
  const parts = {
    job,
    given: { tags: [], tlp: null, ...given },
    ...(placeholders && { placeholders }),
    act: <T>(run: (ctx: Context) => Promise<T>) => asCaller(job, ['modify entities'], 'read committed', run),
    note: noteForFile(file, job.id),
  }
  await importFile(parts, readables, from, findings.length)
  const { rows: outcomes } = await sql<{
    place: string
    kind: string
    outcome: string
    details: string[]
    notes: string[]
  }>`
    select place, kind, outcome, details, notes, entity from file_outcomes where owner = ${file} order by position`.execute(
    corvus.db,
  )
  return { file, run: job.id, outcomes, tally: await tallyOf(corvus, file, job.id) }
}

async function makeFile(corvus: App): Promise<number> {
  const key = `${randomUUID()}${randomUUID()}`.replaceAll('-', '')
  const { rows } = await sql<{ id: number }>`
    with blob as (
      insert into stored_blobs (key, size, sha1, md5, claimed_until) values (${key}, 0, '', '', now()) returning key
    )
    insert into files (sha256) select key from blob returning id`.execute(corvus.db)
  return rows[0]?.id ?? 0
}
