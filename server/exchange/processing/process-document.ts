import { sql } from 'kysely'
import type { Job } from '../../background/task.ts'
import { isArchive } from '../../formats/archive/unpack.ts'
import type { CsvMapping } from '../../formats/csv/mapping.ts'
import type { Document } from '../../formats/document.ts'
import type { Reader } from '../../formats/finding.ts'
import type { Known } from '../../formats/identified.ts'
import { type Kind, recognise } from '../../formats/recognise.ts'
import type { Import } from '../importing/import-batch.ts'
import { EXAMINED, examine, importFile, isReadWholeFirst, type Readables } from '../importing/import-file.ts'
import { noteForFile } from '../importing/note-for-file.ts'
import { resumeAt, type Tally, tallyOf } from '../importing/outcome.ts'
import { readablesOf } from './readables.ts'

/** A document that is to become intelligence, and how. */
export interface Processing extends Pick<Import, 'given' | 'act'> {
  readonly job: Job<unknown>
  /** The row of the file that it is; what becomes of its objects is noted there. */
  readonly file: number
  readonly document: Document
  readonly csvMapping: CsvMapping | null
  /** Opens it, where it is an archive. */
  readonly password: string | undefined
  /** What is known of it beside its bytes. */
  readonly known?: Known | undefined
  /** What it is, where its content alone does not tell. */
  readonly settled?: ((recognised: Kind) => Kind) | undefined
  /** Runs when all of it is stored; tells how many objects were taken away because it does not have them. */
  readonly takeAway?: ((read: ReadDocument) => Promise<Readonly<Record<string, number>>>) | undefined
}

/** A document that was read to its end. */
export interface ReadDocument {
  readonly format: Kind
  /** Whether it says itself what came and what went, so that what it does not have is not gone. */
  readonly isDiff: boolean
}

/** What a document had, and what became of it. */
export interface Processed {
  readonly format: Kind
  readonly objects: number
  /** Of how many objects something was lost. */
  readonly lost: number
  readonly [kind: string]: unknown
}

/** Makes entities and observables of a document, from where an interrupted run left off; one that cannot be read is a DocumentError. */
export async function processDocument(processing: Processing): Promise<Processed> {
  const { job, file, document, csvMapping, password, known, given, act } = processing
  const { settled = (format: Kind) => format } = processing
  const format = settled(await recognise(document, { hasMapping: csvMapping !== null }))
  await sql`update files set format = ${format} where id = ${file}`.execute(job.db)
  if (format === 'unknown') {
    job.log('It is of no known kind: it is kept, and nothing is made of it.')
    return { format, objects: 0, lost: 0 }
  }
  const reading = { isExamined: false, isDiff: false }
  const counted = countingBytes(document, (part) => {
    if (reading.isExamined) job.progress(part * EXAMINED)
  })
  // Its last batch is not stored yet when a reader is done.
  const onProgress = (fraction: number) => job.progress(Math.min(0.99, fraction))
  const options = { csvMapping, password, known, onProgress }
  const readables = watched(await readablesOf(job, counted, format, options), reading)
  reading.isExamined = isArchive(format) || !(await isReadWholeFirst(readables))
  const total = reading.isExamined ? await examine(readables, job.signal) : undefined
  reading.isExamined = false
  const from = await resumeAt(job, file, job.id)
  if (total !== undefined) job.log(`It has ${total} objects.`)
  if (from > 0) job.log(`${from} objects were done before.`)
  const parts = { job, given, act, note: noteForFile(file, job.id) }
  const objects = await importFile(parts, readables, from, total)
  if (total === undefined) job.log(`It had ${objects} objects.`)
  const gone = (await processing.takeAway?.({ format, isDiff: reading.isDiff })) ?? {}
  const tally = withGone(await tallyOf(job, file, job.id), gone)
  return { format, objects, ...tally, lost: await lostOf(job, file) }
}

/** A document that tells which part of it was read; it may be read more than once. */
function countingBytes(document: Document, onRead: (part: number) => void): Document {
  let bytes = 0
  return {
    ...document,
    async *open() {
      for await (const piece of document.open()) {
        bytes += piece.length
        onRead(Math.min(1, bytes / document.size))
        yield piece
      }
    },
  }
}

/** Notes while a document is read whether it tells what went. */
const watched = (readables: Readables, reading: { isDiff: boolean }): Readables =>
  async function* () {
    for await (const { read, ...readable } of readables()) {
      const watching: Reader = async function* (document) {
        for await (const finding of read(document)) {
          if (finding.kind === 'withdrawn' || (finding.kind === 'entity' && finding.entity.isAddition))
            reading.isDiff = true
          yield finding
        }
      }
      yield { ...readable, read: watching }
    }
  }

const withGone = (tally: Tally, gone: Readonly<Record<string, number>>): Tally => ({
  ...tally,
  ...Object.fromEntries(
    Object.entries(gone).flatMap(([kind, count]) => (count > 0 ? [[kind, { ...tally[kind], withdrawn: count }]] : [])),
  ),
})

async function lostOf({ db }: Job<unknown>, file: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from file_outcomes
    where owner = ${file} and has_loss`.execute(db)
  return rows[0]?.count ?? 0
}
