import type { Document } from '../document.ts'
import type { Reader } from '../finding.ts'
import { tableRows } from './table.ts'

const DELIMITERS = [',', ';', '\t', '|']

/** Reads a table without a column mapping as text, after verifying that it is a table. */
export const asTable = (read: Reader): Reader =>
  async function* (document) {
    const dialect = { delimiter: await delimiterOf(document), quote: '"' }
    for await (const _ of tableRows(document, dialect, { hasHeader: true }));
    yield* read(document)
  }

/** Returns the most frequent of the usual delimiters in the first line. */
async function delimiterOf(document: Document): Promise<string> {
  for await (const chunk of document.open()) {
    const [first = ''] = chunk.toString('latin1').split('\n', 1)
    const count = (delimiter: string) => first.split(delimiter).length
    return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ','
  }
  return ','
}
