import type { Job } from '../../background/task.ts'
import { isArchive, unpack } from '../../formats/archive/unpack.ts'
import type { CsvMapping } from '../../formats/csv/mapping.ts'
import { type Document, DocumentError } from '../../formats/document.ts'
import type { Finding, Reader } from '../../formats/finding.ts'
import type { Reading } from '../../formats/format.ts'
import { wayOf } from '../../formats/formats.ts'
import { identified, type Known } from '../../formats/identified.ts'
import { type Kind, recognise } from '../../formats/recognise.ts'
import { readExclusions } from '../../intelligence/exclusion-lists.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import type { Readable, Readables } from '../importing/import-file.ts'
import { excluding } from './excluding.ts'

interface Options {
  readonly csvMapping: CsvMapping | null
  readonly password: string | undefined
  /** What is known about the file in addition to its bytes. */
  readonly known?: Known | undefined
  /** Called with the progress, if the reader knows it. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** The documents of a file, which may be an archive, each with its reader. */
export async function readablesOf(
  job: Job<unknown>,
  file: Document,
  format: Kind,
  { csvMapping, password, known, onProgress }: Options,
): Promise<Readables> {
  const isExcluded = await readExclusions(job.db)
  const blobs = blobsOf(job)
  const reading = { csvMapping: csvMapping ?? undefined, openScratch: () => blobs.scratch() }
  const readable = async (
    document: Document,
    kind: Kind,
    more: Reading = {},
  ): Promise<Readable & { isText: boolean }> => {
    const way = await wayOf(kind, document, { ...reading, ...more })
    const { read, versionedBy, isWholeFirst, isText = false } = way
    return { document, read: isText ? excluding(read, isExcluded) : read, versionedBy, isWholeFirst, isText }
  }
  if (!isArchive(format)) {
    return async function* () {
      const { read, ...rest } = await readable({ ...file, known }, format, { onProgress })
      yield { ...rest, read: known && rest.isText ? identified(read, known) : read }
    }
  }
  // An archive is examined completely before anything is stored.
  return async function* () {
    const limit = job.largestFile === undefined ? undefined : { entryBytes: job.largestFile }
    const entries = unpack(file, format, { spool: (content) => blobs.spool(content), password, limits: limit })
    for await (const document of entries) {
      const kind = await within(document, () => recognise(document, { hasMapping: csvMapping !== null }))
      const inner = kind === 'unknown' ? UNREAD : await within(document, () => readable(document, kind))
      yield { ...inner, document, read: placed(document.name, inner.read), isWholeFirst: false }
    }
  }
}

/** Archives may contain pictures and programs, which are reported as losses. */
const UNREAD = {
  versionedBy: undefined,
  read: async function* (): AsyncGenerator<Finding> {
    yield { kind: 'lost', at: '', losses: ['The format is unknown.'] }
  },
} satisfies Omit<Readable, 'document'>

/** Wraps a reader so that locations name the document in the archive. */
const placed = (name: string, read: Reader): Reader =>
  async function* (document) {
    const findings = read(document)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await within(document, () => findings.next())
        if (done) return
        yield { ...value, at: value.at === '' ? name : `${name}: ${value.at}` }
      }
    } finally {
      // A reader may have a file open.
      await findings.return?.()
    }
  }

async function within<T>({ name }: Document, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DocumentError) || error.message.startsWith(name)) throw error
    throw new DocumentError(`${name}: ${error.message}`)
  }
}
