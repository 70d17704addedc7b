import { type Document, isDocument, isSame, type Path, pathText } from '../../forms/paths.ts'

/** A field that differs between two versions; undefined if a version does not have it. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Fields that the server generates for each version, and those that repeat another field. */
export const NOT_COMPARED = new Set([
  'meta.title',
  'meta.first_ingest_time',
  'meta.ingest_time',
  'meta.is_outdated_version',
  'meta.is_unresolved_idref',
  'meta.is_withdrawn',
  'meta.is_unified_entity',
  'meta.is_exempt_from_consolidation',
  'meta.is_contributor_to',
])

/** The compared parts of an entity version. */
export interface Version {
  readonly data: Document
  readonly meta: Document
  readonly sources: readonly string[]
}

/** The fields that changed between two versions of an entity. */
export function differences(before: Version, after: Version): readonly Difference[] {
  const part = ({ data, meta, sources }: Version): Document => ({ data, meta, sources })
  return differencesAt([], part(before), part(after))
}

function differencesAt(path: Path, before: unknown, after: unknown): readonly Difference[] {
  // Empty and absent values look the same to readers.
  if (isSame(before, after) || (isEmpty(before) && isEmpty(after))) return []
  if (NOT_COMPARED.has(pathText(path))) return []
  if (isDocument(before) && isDocument(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => differencesAt([...path, name], before[name], after[name]))
  }
  if (isRecordList(before) && isRecordList(after) && before.length === after.length) {
    return before.flatMap((item, i) => differencesAt([...path, i], item, after[i]))
  }
  return [{ path: pathText(path), before, after }]
}

/** Whether a value is empty or absent. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const isRecordList = (value: unknown): value is readonly Document[] => Array.isArray(value) && value.every(isDocument)
