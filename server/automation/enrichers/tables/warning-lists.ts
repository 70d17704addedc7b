import { isRecord } from '../../../domain/record.ts'
import { badRequest } from '../../../engine/errors.ts'

/** A list of MISP with values that are usually no sign of an attack. */
interface WarningList {
  readonly name: string
  readonly type: string
  readonly description?: unknown
  readonly list: readonly unknown[]
}

/** How the values of lists are compared, as far as they can be looked up by key. */
const COMPARED = new Set(['string', 'hostname', 'cidr'])
const KNOWN = new Set([...COMPARED, 'substring', 'regex'])

export const isWarningList = (value: unknown): value is WarningList =>
  isRecord(value) && typeof value.name === 'string' && KNOWN.has(String(value.type)) && Array.isArray(value.list)

/** The rows of a warning list, each with the name and the type of the list. Throws a 400 for lists that have no keys. */
export function rowsOfWarningList({ name, type, description, list }: WarningList): Record<string, unknown>[] {
  if (!COMPARED.has(type))
    throw badRequest(
      `data: the list '${name.slice(0, 100)}' has the type ${type}, which is not supported: leave it out`,
    )
  return list.flatMap((value) =>
    typeof value === 'string'
      ? [{ value: value.replace(/^\./, ''), list: name, type, ...(typeof description === 'string' && { description }) }]
      : [],
  )
}
