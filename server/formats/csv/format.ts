import type { Document } from '../document.ts'
import type { Format, Reading, Way } from '../format.ts'
import { readAsText } from '../text/format.ts'

const TABLE = { mediaType: 'text/csv; charset=utf-8; header=present', hasObservables: true } as const

/** The table with chosen fields. */
export const FIELDS_CSV = 'urn:eclecticiq.com:csv-fields:1.0'

export const csv = {
  kind: 'csv',
  read: readCsv,
  mistakenFor: ['text', 'markdown', 'email'],
  contentTypes: [
    {
      ...TABLE,
      urn: 'urn:eclecticiq.com:csv-entities:1.0',
      name: 'csv',
      doc: 'a line per entity',
      extension: 'csv',
      write: async () => (await import('./write-entities-csv.ts')).writeEntitiesCsv,
      feed: {
        strategies: ['REPLACE', 'APPEND', 'DIFF'],
        items: async () => (await import('../items/table-items.ts')).entityRowItems,
        countItems: ({ entities }) => entities,
        assemble: async () =>
          (await import('./assemble-table.ts')).assembleTable((await import('./write-entities-csv.ts')).ENTITIES_HEAD),
      },
    },
    {
      ...TABLE,
      urn: 'urn:eclecticiq.com:csv-extracts:1.0',
      name: 'observables-csv',
      doc: 'a line per observable and entity',
      extension: 'observables.csv',
      write: async () => (await import('./write-observables-csv.ts')).writeObservablesCsv,
      feed: {
        strategies: ['REPLACE', 'APPEND', 'DIFF'],
        items: async () => (await import('../items/table-items.ts')).observableItems,
        countItems: ({ observables }) => observables,
        assemble: async () =>
          (await import('./assemble-table.ts')).assembleTable(
            (await import('./write-observables-csv.ts')).OBSERVABLES_HEAD,
          ),
        dataMembers: ['id', 'type', 'title', 'handling'],
      },
    },
    {
      ...TABLE,
      urn: FIELDS_CSV,
      name: 'fields-csv',
      doc: 'a line per entity, with chosen fields',
      extension: 'csv',
      isWrittenOnly: true,
      needsFields: true,
      write: async (fields) => (await import('../fields-csv.ts')).fieldsCsv(fields),
    },
  ],
} as const satisfies Format

async function readCsv(document: Document, { csvMapping }: Reading): Promise<Way> {
  if (csvMapping) return { read: (await import('./csv-reader.ts')).csvReader(csvMapping) }
  const own = await (await import('./own-table.ts')).ownTable(document)
  if (own) return { read: own }
  const list = await (await import('../lists/detect-list.ts')).detectList(document)
  if (list) return { read: list.read }
  const { read, ...way } = await readAsText('text')
  return { ...way, read: (await import('./plain-table.ts')).asTable(read) }
}
