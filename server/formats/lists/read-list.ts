import { setImmediate } from 'node:timers/promises'
import { isFormula } from '../csv/table.ts'
import { type Document, DocumentError } from '../document.ts'
import { type Decoding, decodedPieces, decodingIn, withDecoding } from '../encoding/decoding.ts'
import type { Encoding } from '../encoding/encoding.ts'
import type { Finding, Reader } from '../finding.ts'
import { extractObservables } from '../text/extract-observables.ts'
import { type Collection, collectionOf } from './collection.ts'
import { columnNotes } from './column-notes.ts'
import { describesList, drawListRow, type ListDraft, observablesOf } from './draw-list-row.ts'
import { isSeparatorLine, type ListForm } from './form.ts'
import { lineValues, remarkOf } from './line-forms.ts'
import { type Line, LONGEST_LINE, linesOf } from './lines.ts'
import { type ListRow, rowsOf } from './rows.ts'

/** How many rows are read before others have their turn. */
const TURN = 50

/** Reads a list of a known form, row by row. */
export const listReader = (form: ListForm, encoding: Encoding): Reader =>
  async function* (document) {
    const decoding = decodingIn(encoding)
    yield* withDecoding(readRows(document, form, decoding), decoding)
  }

async function* readRows(document: Document, form: ListForm, decoding: Decoding): AsyncGenerator<Finding> {
  const collection = collectionOf(document)
  for (const note of columnNotes(form.layout)) collection.note(note)
  let isHeaderNext = form.layout.hasHeader
  let count = 0
  for await (const row of rowsOf(checkedLines(document, decoding), form.delimiter, form.width)) {
    if (++count % TURN === 0) await setImmediate()
    if (row.isComment) takeComment(collection, row, form)
    else if (isHeaderNext && row.cells.length === form.width) isHeaderNext = false
    else yield* takeRow(collection, form, row)
  }
  yield* collection.end()
}

/** The lines of a document, as far as they can be lines of a list. */
async function* checkedLines(document: Document, decoding: Decoding): AsyncGenerator<Line> {
  for await (const line of linesOf(decodedPieces(document, decoding))) {
    if (line.text.includes('\0')) {
      throw new DocumentError(`line ${line.number}: has a NUL character, which no text has`)
    }
    if (line.isCut) throw new DocumentError(`line ${line.number} is longer than ${LONGEST_LINE} characters.`)
    if (!isSeparatorLine(line)) yield line
  }
}

/** Comments are kept with a plain list. In a table each row is an object of its own, and they are noted with the next one. */
function takeComment(collection: Collection, { text }: ListRow, { delimiter }: ListForm): void {
  if (delimiter === undefined) collection.keep(text)
  else collection.note(text)
}

function* takeRow(collection: Collection, form: ListForm, row: ListRow): Generator<Finding> {
  refuseFormulas(row, form)
  const draft = form.delimiter === undefined ? lineDraft(row) : drawListRow(form.layout, row.cells)
  if (draft) {
    yield* collection.take(`line ${row.line}`, draft)
    return
  }
  // No column explains it: it is kept as text, and read as one unless it only says what the list is.
  collection.keep(row.text)
  if (describesList(form.layout, row.cells)) return
  const observables = extractObservables(row.text).map(({ type, value }) => ({ type, value }))
  yield* collection.take(`line ${row.line}`, { data: {}, meta: {}, observables, losses: [] })
}

function lineDraft({ text }: ListRow): ListDraft | undefined {
  const values = lineValues(text)
  if (!values) return undefined
  const remark = remarkOf(text)
  const more = values.some(({ hasMore }) => hasMore) ? [text.trim()] : []
  const said = [...more, ...(remark === '' ? [] : [remark])].join('\n')
  const observables = observablesOf(values)
  return { data: said === '' ? {} : { description: said }, meta: {}, observables, losses: [] }
}

/** A formula in a table is an attack on the next person who opens it: the row is refused. */
function refuseFormulas({ line, cells }: ListRow, { delimiter }: ListForm): void {
  const formula = delimiter === undefined ? undefined : cells.find(isFormula)
  if (formula !== undefined) {
    throw new DocumentError(`line ${line}: ${JSON.stringify(formula.slice(0, 40))} is a formula for a spreadsheet.`)
  }
}
