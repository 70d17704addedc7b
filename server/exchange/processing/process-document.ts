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
import { countFrameworkObject, type FrameworkCounts, frameworkNotes } from './framework-objects.ts'
import { readablesOf } from './readables.ts'

/** A document to import, and how. */
export interface Processing extends Pick<Import, 'given' | 'act'> {
  readonly job: Job<unknown>
  /** The id of its file, where outcomes are recorded. */
  readonly file: number
  readonly document: Document
  readonly csvMapping: CsvMapping | null
  /** The password, if it is an archive. */
  readonly password: string | undefined
  /** What is known about it in addition to its bytes. */
  readonly known?: Known | undefined
  /** Corrects the recognised format, if the content alone is ambiguous. */
  readonly correctFormat?: ((recognised: Kind) => Kind) | undefined
  /** Runs when everything is stored; gives the number of objects removed because the document no longer has them. */
  readonly takeAway?: ((read: ReadDocument) => Promise<Readonly<Record<string, number>>>) | undefined
}

/** A document that was read completely. */
export interface ReadDocument {
  readonly format: Kind
  /** Whether it lists additions and removals, so that missing objects do not count as gone. */
  readonly isDiff: boolean
}

/** The counts of an import. */
export interface Processed {
  readonly format: Kind
  readonly objects: number
  /** The number of objects with losses. */
  readonly lost: number
  /** What users may want to know about the document as a whole. */
  readonly notes?: readonly string[]
  readonly [kind: string]: unknown
}

/** Imports a document, continuing after an interruption; an unreadable document is a DocumentError. */
export async function processDocument(processing: Processing): Promise<Processed> {
  const { job, file, document, csvMapping, password, known, given, act } = processing
  const { correctFormat = (format: Kind) => format } = processing
  const format = correctFormat(await recognise(document, { hasMapping: csvMapping !== null }))
  await sql`update files set format = ${format} where id = ${file}`.execute(job.db)
  if (format === 'unknown') {
    job.log('The format is unknown: the file was stored but not imported.')
    return { format, objects: 0, lost: 0 }
  }
  const frameworkObjects: FrameworkCounts = new Map()
  const reading = { isExamined: false, isDiff: false, frameworkObjects }
  const counted = countingBytes(document, (part) => {
    if (reading.isExamined) job.progress(part * EXAMINED)
  })
  // The last batch is stored only after the reader has finished.
  const onProgress = (fraction: number) => job.progress(Math.min(0.99, fraction))
  const options = { csvMapping, password, known, onProgress }
  const readables = watched(await readablesOf(job, counted, format, options), reading)
  reading.isExamined = isArchive(format) || !(await isReadWholeFirst(readables))
  const total = reading.isExamined ? await examine(readables, job.signal) : undefined
  reading.isExamined = false
  frameworkObjects.clear()
  const from = await resumeAt(job, file, job.id)
  if (total !== undefined) job.log(`The document has ${total} objects.`)
  if (from > 0) job.log(`${from} objects were processed earlier.`)
  const parts = { job, given, act, note: noteForFile(file, job.id) }
  const objects = await importFile(parts, readables, from, total)
  if (total === undefined) job.log(`The document had ${objects} objects.`)
  const gone = (await processing.takeAway?.({ format, isDiff: reading.isDiff })) ?? {}
  const tally = withGone(await tallyOf(job, file, job.id), gone)
  const notes = frameworkNotes(frameworkObjects)
  return { format, objects, ...tally, lost: await lostOf(job, file), ...(notes.length > 0 && { notes }) }
}

/** A document that reports the fraction that was read; it can be read more than once. */
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

interface Reading {
  isDiff: boolean
  readonly frameworkObjects: FrameworkCounts
}

/** Notes while a document is read whether it lists removals, and what of it describes attack frameworks. */
const watched = (readables: Readables, reading: Reading): Readables =>
  async function* () {
    for await (const { read, ...readable } of readables()) {
      const watching: Reader = async function* (document) {
        for await (const finding of read(document)) {
          if (finding.kind === 'withdrawn' || (finding.kind === 'entity' && finding.entity.isAddition))
            reading.isDiff = true
          countFrameworkObject(reading.frameworkObjects, finding)
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
