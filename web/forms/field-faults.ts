import { CallError } from '../api/call.ts'
import { type Path, pathText } from './paths.ts'

/** What is wrong with one place of a document. */
export interface FieldFault {
  /** As the API writes paths; empty where nobody knows the place. */
  readonly path: string
  readonly text: string
}

/** Given where nothing is wrong: always the same list, so that nothing is drawn again for it. */
export const NO_FAULTS: readonly FieldFault[] = []

/** What was refused, with its places; `wrapped` are the properties of the object, which a request has inside of `data`. */
export function faultsIn(error: unknown, wrapped: readonly string[]): readonly FieldFault[] {
  if (error === null || error === undefined) return NO_FAULTS
  if (!(error instanceof CallError))
    return [{ path: '', text: 'Something went wrong in this page. Reload it and try again.' }]
  if (error.faults.length === 0) return [{ path: '', text: error.message }]
  return error.faults.map(({ detail }) => faultOf(detail, wrapped))
}

function faultOf(detail: string, wrapped: readonly string[]): FieldFault {
  const [, path = '', text = ''] = /^([^\s:]+(?: [^\s:]+)*): (.+)$/s.exec(detail) ?? []
  if (text === '') return { path: '', text: detail }
  const inner = path.replace(/^data\./, '')
  const isWrapped = inner !== path && wrapped.some((name) => isWithin(inner, name))
  return { path: isWrapped ? inner : path, text }
}

/** Whether a place is another one, or lies inside of it. */
export const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)

/** The faults at a place and inside of it. */
export function faultsWithin(faults: readonly FieldFault[], path: Path): readonly FieldFault[] {
  if (faults.length === 0) return NO_FAULTS
  const outer = pathText(path)
  const found = faults.filter((fault) => isWithin(fault.path, outer))
  return found.length > 0 ? found : NO_FAULTS
}

/** The faults inside of none of these places. */
export const faultsBeside = (faults: readonly FieldFault[], paths: readonly Path[]): readonly FieldFault[] => {
  const texts = paths.map(pathText)
  return faults.filter((fault) => !texts.some((text) => isWithin(fault.path, text)))
}

/** What stands at a field that shows nothing of its inside: each fault with the place that it is about. */
export function faultText(faults: readonly FieldFault[], path: Path): string | undefined {
  const own = pathText(path)
  const texts = faults.map(({ path: place, text }) => {
    const inner = place.slice(own.length).replace(/^\./, '')
    return inner === '' ? text : `${inner}: ${text}`
  })
  return texts.length > 0 ? texts.join('; ') : undefined
}
