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
import { type Line, linesOf, MAX_LINE_LENGTH } from './lines.ts'
import { type ListRow, rowsOf } from './rows.ts'

/** Number of rows to read before yielding to other work. */
const ROWS_PER_TURN = 50

/** Reads a list of a known form row by row. */
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
    if (++count % ROWS_PER_TURN === 0) await setImmediate()
    if (row.isComment) takeComment(collection, row, form)
    else if (isHeaderNext && row.cells.length === form.width) isHeaderNext = false
    else yield* takeRow(collection, form, row)
  }
  yield* collection.end()
}

/** Yields the lines of a document, and rejects those that cannot be part of a list. */
async function* checkedLines(document: Document, decoding: Decoding): AsyncGenerator<Line> {
  for await (const line of linesOf(decodedPieces(document, decoding))) {
    if (line.text.includes('\0')) {
      throw new DocumentError(`line ${line.number}: contains a NUL character, which text never has`)
    }
    if (line.isCut) throw new DocumentError(`line ${line.number} exceeds ${MAX_LINE_LENGTH} characters.`)
    if (!isSeparatorLine(line)) yield line
  }
}

/** Comments are kept with a plain list. In a table each row is a separate entity, so they are attached to the next one as remarks. */
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
  // No column explains this row, so it is kept as text, and searched unless it only describes the list.
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

/** A formula in a table is an attack on the next person who opens it, so the document is rejected. */
function refuseFormulas({ line, cells }: ListRow, { delimiter }: ListForm): void {
  const formula = delimiter === undefined ? undefined : cells.find(isFormula)
  if (formula !== undefined) {
    throw new DocumentError(`line ${line}: ${JSON.stringify(formula.slice(0, 40))} is a spreadsheet formula.`)
  }
}
