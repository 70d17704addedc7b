import { typeOfStixId } from '../../domain/stix-ids.ts'
import type { Document } from '../document.ts'
import { type Decoding, decodingOf, withDecoding } from '../encoding/decoding.ts'
import type { Finding, FoundEntity, Reader } from '../finding.ts'
import { madeId } from '../made-id.ts'
import { containerOf } from './container.ts'
import { drawRow, type RowDraft } from './draw-row.ts'
import type { CsvMapping } from './mapping.ts'
import { type Plan, planOf } from './plan.ts'
import type { Dialect, Row } from './rows.ts'
import { type TableRow, tableRows } from './table.ts'

/** Options that apply to all files of a reader. */
export interface CsvOptions {
  /** The source of the files. Files from different sources give different entities, even with the same contents. */
  readonly sourceName?: string | undefined
}

/** Maximum number of rows remembered to skip duplicates. Storing a row twice is harmless. */
const REMEMBERED_ROWS = 250_000

/** Reads CSV files with a mapping of their columns. */
export const csvReader = (mapping: CsvMapping, options: CsvOptions = {}): Reader =>
  async function* readCsv(document) {
    const decoding = await decodingOf(document)
    yield* withDecoding(readTable(document, mapping, options, decoding), decoding)
  }

async function* readTable(
  document: Document,
  mapping: CsvMapping,
  options: CsvOptions,
  decoding: Decoding,
): AsyncGenerator<Finding> {
  const hasHeader = mapping.config.first_row_is_header
  const form = { hasHeader, columns: mapping.columns.length }
  let reading: Reading | undefined
  for await (const row of tableRows(document, { ...dialectOf(mapping), decoding }, form)) {
    if (reading) {
      yield* reading.take(row)
      continue
    }
    const plan = planOf(mapping, hasHeader ? row.cells : undefined)
    reading = readingOf(plan, document, options)
    if (plan.missing.length > 0) {
      const losses = plan.missing.map((name) => `column '${name.slice(0, 100)}' does not exist`)
      yield { kind: 'lost', at: `line ${row.line}`, losses }
    }
    if (!hasHeader) yield* reading.take(row)
  }
  if (reading) yield* reading.end()
}

const dialectOf = ({ config }: CsvMapping): Dialect => ({
  delimiter: config.delimiter,
  quote: config.quote_character,
  comment: config.ignore_comment_lines ? config.comment_character : undefined,
  skipsLinesWithoutDelimiter: config.ignore_lines_without_delimiter,
})

/** Processes the rows of a file one by one. */
interface Reading {
  take(row: TableRow): Generator<Finding>
  end(): Generator<Finding>
}

function readingOf(plan: Plan, document: Document, { sourceName = '' }: CsvOptions): Reading {
  const container = containerOf(document, sourceName, drawRow({ ...plan, columns: [] }, []))
  const seen = new Set<string>()
  let open: Open | undefined

  function* close(): Generator<Finding> {
    if (open) yield { kind: 'entity', ...open }
    open = undefined
  }

  function* takeEntity(row: Row, draft: RowDraft): Generator<Finding> {
    const at = `line ${row.line}`
    const entity = entityOf(draft, sourceName)
    if (typeof entity === 'string') {
      yield { kind: 'lost', at, losses: [entity, ...draft.losses] }
      return
    }
    const { id } = entity.data
    if (open?.entity.data.id === id) {
      open = merged(open, entity, draft.losses)
      return
    }
    yield* close()
    if (seen.has(id)) yield { kind: 'lost', at, id, losses: ['another row of this file is the same entity'] }
    else open = { at, entity, ...(draft.losses.length > 0 ? { losses: draft.losses } : {}) }
    if (seen.size < REMEMBERED_ROWS) seen.add(id)
  }

  return {
    *take(row) {
      const at = `line ${row.line}`
      if (row.fault !== undefined) {
        yield { kind: 'lost', at, losses: [row.fault] }
        return
      }
      const draft = drawRow(plan, row.cells)
      if (plan.makesEntities) yield* takeEntity(row, draft)
      else yield* container.take(at, draft)
    },
    *end() {
      yield* close()
      yield* container.end()
    },
  }
}

/** The current entity, to which the next rows may add. */
interface Open {
  readonly at: string
  readonly entity: FoundEntity & { readonly data: { readonly id: string } }
  readonly losses?: readonly string[]
}

/** Files may have one row per observable or per tag of an entity, so consecutive rows with the same id are merged. */
function merged(open: Open, { observables = [], meta = {} }: FoundEntity, losses: readonly string[]): Open {
  const { entity } = open
  const both = { ...meta, ...entity.meta }
  for (const name of ['tags', 'taxonomies', 'attacks']) {
    const values = [entity.meta?.[name], meta[name]].flatMap((list) => (Array.isArray(list) ? list : []))
    if (values.length > 0) both[name] = [...new Set(values)]
  }
  const named = new Set(entity.observables?.map(({ type, value }) => `${type} ${value}`))
  const more = observables.filter(({ type, value }) => !named.has(`${type} ${value}`))
  const all = [...(open.losses ?? []), ...losses]
  return {
    ...open,
    entity: { ...entity, meta: both, observables: [...(entity.observables ?? []), ...more] },
    ...(all.length > 0 ? { losses: all } : {}),
  }
}

/** Returns the entity of a row, or the reason why there is none. */
function entityOf({ data, meta, observables, losses }: RowDraft, sourceName: string): Open['entity'] | string {
  const type = typeof data.type === 'string' && data.type !== '' ? data.type : 'indicator'
  const title = typeof data.title === 'string' && data.title !== '' ? data.title : observables[0]?.value
  if (title === undefined) return losses.length > 0 ? 'no cell of this row can be read' : 'this row has no title'
  const { id: given, ...rest } = data
  const content = { ...rest, type, title }
  const id =
    typeof given === 'string' && typeOfStixId(given) !== undefined
      ? given
      : madeId(type, sourceName, ...(given === undefined ? [content, meta, observables] : [given]))
  return { data: { ...content, id }, meta, observables }
}
