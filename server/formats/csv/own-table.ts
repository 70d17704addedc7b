import { type Document, DocumentError, documentOf } from '../document.ts'
import type { Reader } from '../finding.ts'
import { HEAD, headOf } from '../recognising/head.ts'
import { readEntitiesCsv } from './read-entities-csv.ts'
import { readObservablesCsv } from './read-observables-csv.ts'
import { PLAIN, readRows } from './rows.ts'

/** Returns the reader for a table that this platform exported, recognised by its columns; otherwise undefined. */
export async function ownTable(document: Document): Promise<Reader | undefined> {
  const names = new Set(await headerOf(document))
  if (names.has('data.type') && names.has('data.title')) return readEntitiesCsv
  const isOfObservables = names.has('value_url') && names.has('entity.id') && names.has('type')
  return isOfObservables ? readObservablesCsv : undefined
}

/** Returns the names in the first row; empty if it cannot be a header. */
async function headerOf(document: Document): Promise<string[]> {
  const bytes = await headOf(document, HEAD)
  const [first] = bytes.toString('latin1').split(/[\r\n]/, 1)
  // Our tables are in UTF-8. Checking that first costs less than detecting the encoding of all others.
  if (!/data\.title|value_url/.test(first ?? '')) return []
  // Only the first row: the next one may exceed the sample, and a truncated row would not parse.
  const head = documentOf(bytes.subarray(0, first?.length ?? 0), document.name)
  try {
    for await (const { cells } of readRows(head, PLAIN)) return cells.map((name) => name.trim())
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
  }
  return []
}
