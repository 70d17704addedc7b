import type { FoundObservable } from '../finding.ts'
import { type Maliciousness, maliciousnessNamed } from '../maliciousness.ts'
import { partsOf } from '../misp/attribute-types.ts'
import { observableAmong } from '../observable-among.ts'
import type { Field } from './fields.ts'
import { typesNamed } from './observable-names.ts'
import type { Plan, PlannedColumn } from './plan.ts'
import { makeValue } from './values.ts'

/** The contents of a row, before it becomes an entity or separate observables. */
export interface RowDraft {
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly observables: FoundObservable[]
  readonly losses: string[]
}

interface Drawing extends RowDraft {
  /** The single observable of the row, whose parts are in several columns. */
  readonly parts: Partial<Record<'type' | 'value' | 'maliciousness' | 'link_type', string>>
}

type Parameters = PlannedColumn['parameters']

/** Reads the cells of a row into the planned fields. */
export function drawRow(plan: Plan, cells: readonly string[]): RowDraft {
  const drawing: Drawing = { data: {}, meta: {}, observables: [], losses: [], parts: {} }
  let maliciousness: Maliciousness | undefined
  for (const column of plan.columns) {
    const cell = cells[column.index] ?? ''
    if (cell.trim() === '') continue
    if (column.fields.some((field) => field.kind === 'part' && field.part === 'value')) {
      maliciousness = column.parameters.maliciousness
    }
    for (const [field, text] of shares(column, cell)) put(drawing, plan, field, text, column.parameters, column.name)
  }
  putParts(drawing, maliciousness)
  for (const { field, values } of plan.defaults) putDefault(drawing, plan, field, values)
  return drawing
}

/** Determines which part of a cell each field gets: its own part if there are several, otherwise the whole cell. */
function shares({ fields, parameters: { column_delimiter } }: PlannedColumn, cell: string): [Field, string][] {
  if (column_delimiter === undefined) return fields.map((field) => [field, cell])
  const pieces = cell
    .split(column_delimiter)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
  return pieces.flatMap((piece, i): [Field, string][] => {
    const field = fields[Math.min(i, fields.length - 1)]
    return field ? [[field, piece]] : []
  })
}

function put(drawing: Drawing, plan: Plan, field: Field, text: string, parameters: Parameters, name: string): void {
  if (field.kind === 'part') {
    drawing.parts[field.part] ??= text.trim()
    return
  }
  if (field.kind === 'observable') {
    const found = observableAmong(field.types, text)
    if ('fault' in found) drawing.losses.push(`${name}: '${text.slice(0, 80)}' ${found.fault}`)
    else drawing.observables.push({ ...found, maliciousness: parameters.maliciousness })
    return
  }
  const { form, path } = field
  if (form === 'tags' || form === 'texts') {
    const isSplit = form === 'tags' && plan.tagsDelimiter !== undefined
    const values = (isSplit ? text.split(plan.tagsDelimiter ?? ';') : [text]).map((one) => one.trim())
    append(drawing, path, values)
  } else if (form === 'description') {
    const heading = headingOf(parameters, name)
    join(drawing, path, heading === '' ? text : `${heading}: ${text}`, '\n')
  } else if (form === 'title') {
    join(drawing, path, text.trim(), ' ')
  } else {
    const made = makeValue(form, text, parameters.time_format)
    if (made.loss !== undefined) drawing.losses.push(`${name}: ${made.loss}`)
    if ('value' in made) setAt(drawing, path, made.value)
  }
}

function headingOf({ title_before_description, title_heading = '' }: Parameters, name: string): string {
  if (title_before_description === false) return ''
  return title_before_description ? title_heading || name : title_heading
}

function putParts({ parts, observables, losses }: Drawing, fallback: Maliciousness | undefined): void {
  const { value, link_type } = parts
  if (value === undefined) return
  const maliciousness = maliciousnessNamed(parts.maliciousness) ?? fallback
  // Types such as `filename|md5` name two observables.
  for (const part of partsOf(parts.type ?? 'any', value)) {
    const types = typesNamed(part.type)
    const found = types ? observableAmong(types, part.value) : undefined
    if (!found) losses.push(`'${part.type.slice(0, 80)}' is not an observable type`)
    else if ('fault' in found) losses.push(`'${part.value.slice(0, 80)}' ${found.fault}`)
    else observables.push({ ...found, maliciousness, link_type })
  }
}

function putDefault(drawing: Drawing, plan: Plan, field: Field, values: readonly unknown[]): void {
  if (field.kind !== 'value') {
    for (const value of values) put(drawing, plan, field, String(value), {}, 'default value')
    return
  }
  const { form, path } = field
  if (form === 'tags' || form === 'texts') append(drawing, path, values.map(String))
  else if (valueAt(drawing, path) === undefined) {
    const [value] = values
    const made = typeof value === 'string' ? makeValue(form, value) : { value: values.length === 1 ? value : values }
    if ('value' in made) setAt(drawing, path, made.value)
  }
}

/** Returns the object that holds the last name of a path, and creates missing ones. */
function holderOf(drawing: Drawing, path: readonly string[]): Record<string, unknown> | undefined {
  let holder: unknown = drawing
  for (const name of path.slice(0, -1)) {
    const object = holder as Record<string, unknown>
    object[name] ??= {}
    holder = object[name]
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return undefined
  }
  return holder as Record<string, unknown>
}

const lastOf = (path: readonly string[]): string => path.at(-1) ?? ''

const valueAt = (drawing: Drawing, path: readonly string[]): unknown => holderOf(drawing, path)?.[lastOf(path)]

function setAt(drawing: Drawing, path: readonly string[], value: unknown): void {
  const holder = holderOf(drawing, path)
  if (holder) holder[lastOf(path)] ??= value
}

function append(drawing: Drawing, path: readonly string[], values: readonly string[]): void {
  const holder = holderOf(drawing, path)
  if (!holder) return
  const present = (holder[lastOf(path)] as string[] | undefined) ?? []
  holder[lastOf(path)] = [...new Set([...present, ...values.filter((value) => value.trim() !== '')])]
}

function join(drawing: Drawing, path: readonly string[], text: string, between: string): void {
  const holder = holderOf(drawing, path)
  const present = holder?.[lastOf(path)]
  if (holder) holder[lastOf(path)] = present === undefined ? text : `${present}${between}${text}`
}
