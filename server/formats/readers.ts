import type { CsvMapping } from './csv/mapping.ts'
import { type Document, DocumentError } from './document.ts'
import type { Reader } from './finding.ts'
import type { Kind } from './recognise.ts'
import type { ScratchFile } from './scratch.ts'
import { textReader } from './text/in-thread.ts'
import type { TextFormat } from './text/text-readers.ts'

/** How a document of some format is read. */
export interface Way {
  readonly read: Reader
  /** Which property of an entity's data tells the older of two versions; without one, what comes later counts. */
  readonly versionedBy?: 'modified' | 'timestamp'
  /**
   * Whether the document is read whole before the first finding: one with a fault gives none, so that it can be stored while it is read.
   * Such a reader calls `onProgress`.
   */
  readonly isWholeFirst?: boolean
  /** Whether observables were picked out of text, so that some of them are not worth keeping. */
  readonly isText?: boolean
}

/** What reading may need beside the document. */
export interface Reading {
  readonly csvMapping?: CsvMapping | undefined
  /** Opens a file for what has to wait; without it, it waits in memory. */
  readonly openScratch?: (() => ScratchFile) | undefined
  /** Called with how much is done, from 0 to 1, by a reader that knows. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

type Load = (document: Document, reading: Reading) => Promise<Way>

/** Loaded with the first document of their kind: most of what they stand on is seldom needed. */
const WAYS: Partial<Record<Kind, Load>> = {
  'stix-2': async (_, reading) => ({
    read: (await import('./stix2/read-stix2.ts')).stix2Reader(reading),
    versionedBy: 'modified',
    isWholeFirst: true,
  }),
  'stix-1': async () => ({ read: (await import('./stix1/read/read-stix1.ts')).readStix1, versionedBy: 'timestamp' }),
  'platform-json': async () => ({ read: (await import('./platform-json/read-platform-json.ts')).readPlatformJson }),
  misp: async () => ({ read: (await import('./misp/read-misp.ts')).readMisp, versionedBy: 'modified' }),
  'misp-galaxy': async () => ({
    read: (await import('./misp/galaxy-files.ts')).readGalaxyFile,
    versionedBy: 'modified',
  }),
  openioc: async () => ({ read: (await import('./openioc/read-openioc.ts')).readOpenIoc, versionedBy: 'modified' }),
  csv: readCsv,
  html: async () => text('html'),
  markdown: async () => text('markdown'),
  email: async () => text('email'),
  pdf: async () => text('pdf'),
  docx: async () => text('docx'),
  text: readPlain,
}

const text = (format: TextFormat): Way => ({ read: textReader(format), isText: true })

/** The way to read a document of a format; one that there is none for is a DocumentError. */
export async function wayOf(format: Kind, document: Document, reading: Reading): Promise<Way> {
  // Somebody who says how columns are read says that there are columns.
  const load = reading.csvMapping && format === 'text' ? readCsv : WAYS[format]
  if (load) return load(document, reading)
  throw new DocumentError(`${NAMES[format] ?? 'The file'} is of no kind that can be read here.`)
}

const NAMES: Partial<Record<Kind, string>> = { json: 'The JSON document', xml: 'The XML document' }

/** A text whose lines are a list is read as one, however long it is. */
async function readPlain(document: Document): Promise<Way> {
  const list = await (await import('./lists/detect-list.ts')).detectList(document)
  return list ? { read: list.read, isText: true } : text('text')
}

async function readCsv(document: Document, { csvMapping }: Reading): Promise<Way> {
  if (csvMapping) return { read: (await import('./csv/csv-reader.ts')).csvReader(csvMapping) }
  const own = await (await import('./csv/own-table.ts')).ownTable(document)
  if (own) return { read: own }
  const list = await (await import('./lists/detect-list.ts')).detectList(document)
  if (list) return { read: list.read }
  const { read, ...way } = text('text')
  return { ...way, read: (await import('./csv/plain-table.ts')).asTable(read) }
}
