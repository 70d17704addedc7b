import { CallError } from '../api/call.ts'
import { type Path, pathText } from './paths.ts'

/** An error at a path of a document. */
export interface FieldFault {
  /** The path as the API writes it; empty if unknown. */
  readonly path: string
  readonly text: string
}

/** An empty list with a stable identity, which avoids re-rendering. */
export const NO_FAULTS: readonly FieldFault[] = []

/** The errors of a rejected request with their paths; `wrapped` are the properties that the request nests in `data`. */
export function faultsIn(error: unknown, wrapped: readonly string[]): readonly FieldFault[] {
  if (error === null || error === undefined) return NO_FAULTS
  if (!(error instanceof CallError))
    return [{ path: '', text: 'This page ran into an error. Reload it and try again.' }]
  if (error.faults.length === 0) return [{ path: '', text: error.message }]
  return error.faults.map(({ detail }) => faultOf(detail, wrapped))
}

function faultOf(detail: string, wrapped: readonly string[]): FieldFault {
  const [, path = '', text = ''] = /^([^\s:]+(?: [^\s:]+)*): (.+)$/s.exec(detail) ?? []
  if (text === '') return { path: '', text: detail }
  const inner = path.replace(/^data\./, '')
  const isWrapped = inner !== path && wrapped.some((name) => isPathInside(inner, name))
  return { path: isWrapped ? inner : path, text }
}

/** Whether a path equals another path or lies inside it. */
export const isPathInside = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)

/** The errors at a path and inside it. */
export function faultsInside(faults: readonly FieldFault[], path: Path): readonly FieldFault[] {
  if (faults.length === 0) return NO_FAULTS
  const outer = pathText(path)
  const found = faults.filter((fault) => isPathInside(fault.path, outer))
  return found.length > 0 ? found : NO_FAULTS
}

/** The errors outside of all these paths. */
export const faultsOutside = (faults: readonly FieldFault[], paths: readonly Path[]): readonly FieldFault[] => {
  const texts = paths.map(pathText)
  return faults.filter((fault) => !texts.some((text) => isPathInside(fault.path, text)))
}

/** The error text of a field without inner fields: each error with its path relative to the field. */
export function faultText(faults: readonly FieldFault[], path: Path): string | undefined {
  const own = pathText(path)
  const texts = faults.map(({ path: place, text }) => {
    const inner = place.slice(own.length).replace(/^\./, '')
    return inner === '' ? text : `${inner}: ${text}`
  })
  return texts.length > 0 ? texts.join('; ') : undefined
}
