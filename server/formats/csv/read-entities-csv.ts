import { readCell } from '../../domain/csv.ts'
import { isRecord } from '../../domain/record.ts'
import type { Document } from '../document.ts'
import { type Decoding, decodingOf, withDecoding } from '../encoding/decoding.ts'
import type { Finding, FoundEntity, FoundObservable, Reader } from '../finding.ts'
import { foundObservable } from '../found-observable.ts'
import type { Json } from '../json/record.ts'
import { madeId } from '../made-id.ts'
import { maliciousnessNamed } from '../maliciousness.ts'
import { splitList } from './lists.ts'
import { PLAIN } from './rows.ts'
import { type TableRow, tableRows } from './table.ts'
import { DATA_COLUMNS, META_LISTS, META_TEXTS } from './write-entities-csv.ts'

/** Rows of our own tables contain whole entities, so they may be long. */
const OWN = { ...PLAIN, limit: 64 * 1024 * 1024 }

/** Reads tables in the format of `writeEntitiesCsv`, with all or some of their columns. */
export const readEntitiesCsv: Reader = async function* (document) {
  const decoding = await decodingOf(document)
  yield* withDecoding(findingsIn(document, decoding), decoding)
}

async function* findingsIn(document: Document, decoding: Decoding): AsyncGenerator<Finding> {
  let header: readonly string[] | undefined
  for await (const row of tableRows(document, { ...OWN, decoding }, { hasHeader: true })) {
    if (header) yield findingOf(row, header)
    else header = row.cells.map((name) => name.trim())
  }
}

function findingOf(row: TableRow, header: readonly string[]): Finding {
  const at = `line ${row.line}`
  if (row.fault !== undefined) return { kind: 'lost', at, losses: [row.fault] }
  const losses: string[] = []
  const cells = new Map(header.map((name, i) => [name, readCell(row.cells[i] ?? '')]))
  const entity = entityOf(cells, losses)
  if (!entity) return { kind: 'lost', at, losses }
  if (cells.get('diff') === 'del') return { kind: 'withdrawn', at, id: entity.data.id ?? '' }
  return losses.length > 0 ? { kind: 'entity', at, entity, losses } : { kind: 'entity', at, entity }
}

/** Returns the entity of a row and collects losses; undefined if there is none. */
function entityOf(cells: ReadonlyMap<string, string>, losses: string[]): FoundEntity | undefined {
  const otherData = otherIn(cells, 'data.other', losses)
  const otherMeta = otherIn(cells, 'meta.other', losses)
  if (!otherData || !otherMeta) return undefined
  const data: Record<string, unknown> = { ...otherData, ...textsIn(cells, 'data', DATA_COLUMNS) }
  const { type, title, id } = data
  if (typeof type !== 'string' || typeof title !== 'string') {
    losses.push('data.type and data.title are required')
    return undefined
  }
  const observables = observablesIn(cells, losses)
  const { is_withdrawn, ...sentMeta } = otherMeta
  const meta = { ...metaIn(cells), ...sentMeta }
  const known = typeof id === 'string' && id !== '' ? id : madeId(type, data, meta, observables)
  const isWithdrawn = is_withdrawn === true
  return { data: { ...data, type, title, id: known }, meta, observables, ...(isWithdrawn && { isWithdrawn }) }
}

function otherIn(cells: ReadonlyMap<string, string>, name: string, losses: string[]): Json | undefined {
  const text = cells.get(name) ?? ''
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return safe(value)
  } catch {
    // Not JSON at all.
  }
  losses.push(`${name} is not a JSON object`)
  return undefined
}

const safe = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'))

const textsIn = (cells: ReadonlyMap<string, string>, place: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = cells.get(`${place}.${name}`) ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )

/** An existing but empty column means that there is no such time, colour or tag. */
function metaIn(cells: ReadonlyMap<string, string>): Record<string, unknown> {
  const meta: Record<string, unknown> = {}
  for (const name of META_TEXTS) {
    const text = cells.get(`meta.${name}`)
    if (text === undefined) continue
    if (text !== '') meta[name] = text
    else if (name.startsWith('estimated_') || name === 'tlp_color') meta[name] = null
  }
  for (const name of META_LISTS) {
    const text = cells.get(`meta.${name}`)
    if (text !== undefined) meta[name] = text === '' ? [] : splitList(text)
  }
  const half = Number(cells.get('meta.half_life') || Number.NaN)
  if (!Number.isNaN(half)) meta.half_life = half
  return meta
}

function observablesIn(cells: ReadonlyMap<string, string>, losses: string[]): FoundObservable[] {
  const cell = cells.get('observables') ?? ''
  if (cell === '') return []
  const levels = splitList(cells.get('observables.maliciousness') ?? '')
  const links = splitList(cells.get('observables.link_type') ?? '')
  return splitList(cell).flatMap((text, i): FoundObservable[] => {
    const colon = text.indexOf(':')
    const said = { maliciousness: maliciousnessNamed(levels[i]), link_type: links[i] }
    const found = foundObservable(colon < 0 ? undefined : text.slice(0, colon), text.slice(colon + 1), said)
    if (!('fault' in found)) return [found]
    losses.push(found.fault)
    return []
  })
}
