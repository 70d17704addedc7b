import { type Document, isDocument, isSame, type Path, pathText } from '../../forms/paths.ts'

/** A field that is not the same in two versions; undefined where a version does not have it. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** What the server says of itself in each version, and what repeats another field. */
const NOT_COMPARED = new Set([
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

/** What is compared of a version of an entity. */
export interface Version {
  readonly data: Document
  readonly meta: Document
  readonly sources: readonly string[]
}

/** What changed from one version of an entity to another, field by field. */
export function differences(before: Version, after: Version): readonly Difference[] {
  const part = ({ data, meta, sources }: Version): Document => ({ data, meta, sources })
  return differencesAt([], part(before), part(after))
}

function differencesAt(path: Path, before: unknown, after: unknown): readonly Difference[] {
  // Nothing said and nothing there are one to a reader.
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

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const isRecordList = (value: unknown): value is readonly Document[] => Array.isArray(value) && value.every(isDocument)
