import { isRecord } from '../../domain/record.ts'

const TITLE_LIMIT = 200

/** Returns the name of an object, or the most descriptive other property. Never empty. */
export function titleOf(object: Readonly<Record<string, unknown>>): string {
  if (typeof object.name === 'string' && object.name.trim() !== '') return object.name
  const { sighting_of_ref, first_observed, external_references, type, id } = object
  const reference = Array.isArray(external_references) ? external_references[0] : undefined
  const said = [
    object.abstract,
    object.content,
    object.explanation,
    object.opinion,
    object.result_name,
    object.product,
    object.value,
    object.description,
    object.pattern,
    object.country,
    object.region,
    isRecord(reference) ? reference.external_id : undefined,
    typeof sighting_of_ref === 'string' ? `Sighting of ${sighting_of_ref}` : undefined,
    type === 'observed-data' && typeof first_observed === 'string' ? `Observed data of ${first_observed}` : undefined,
  ]
  for (const text of said) {
    const line = firstLine(text)
    if (line !== '') return line
  }
  return String(id ?? type)
}

function firstLine(text: unknown): string {
  if (typeof text !== 'string') return ''
  const start = text.trimStart().slice(0, 10 * TITLE_LIMIT)
  const line = (start.split(/[\r\n]/, 1)[0] ?? '').trim()
  if (line.length <= TITLE_LIMIT) return line
  // Do not cut through a surrogate pair.
  return `${line.slice(0, TITLE_LIMIT - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
