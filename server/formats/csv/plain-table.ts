import type { Document } from '../document.ts'
import type { Reader } from '../finding.ts'
import { tableRows } from './table.ts'

const DELIMITERS = [',', ';', '\t', '|']

/** A reader for tables whose columns nobody explains: they are read as text, but they have to be tables. */
export const asTable = (read: Reader): Reader =>
  async function* (document) {
    const dialect = { delimiter: await delimiterOf(document), quote: '"' }
    for await (const _ of tableRows(document, dialect, { hasHeader: true }));
    yield* read(document)
  }

/** The one of the usual delimiters that the first line has most of. */
async function delimiterOf(document: Document): Promise<string> {
  for await (const chunk of document.open()) {
    const [first = ''] = chunk.toString('latin1').split('\n', 1)
    const count = (delimiter: string) => first.split(delimiter).length
    return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ','
  }
  return ','
}
