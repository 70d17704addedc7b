/** Under this an object may carry itself as JSON, where it had to be printed already; nothing else sees it. */
const PRINTED = Symbol('printed')

interface Printed {
  readonly [PRINTED]?: string
}

/** Prints an object as JSON and remembers it: a body that shows it need not print it again. */
export function printOnce(value: object): string {
  const known = (value as Printed)[PRINTED]
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  // Not enumerable: copies and comparisons do not see it.
  Object.defineProperty(value, PRINTED, { value: text })
  return text
}

/** Prints the body of an answer; the objects of a long list are put together from what is printed already. */
export function print(body: unknown): string {
  const data = isRecord(body) ? body.data : undefined
  if (!isRecord(body) || !Array.isArray(data) || !hasPrinted(data[0])) return JSON.stringify(body)
  const rest = JSON.stringify({ ...body, data: undefined }).slice(1)
  return `{"data":[${data.map(printParts).join(',')}]${rest === '}' ? '' : ','}${rest}`
}

function printParts(item: Record<string, unknown>): string {
  const others = { ...item }
  let parts = ''
  for (const key of Object.keys(item)) {
    const value = item[key]
    const printed = isRecord(value) ? (value as Printed)[PRINTED] : undefined
    if (printed === undefined) continue
    parts += `${parts === '' ? '' : ','}${JSON.stringify(key)}:${printed}`
    others[key] = undefined
  }
  // All that is left in one go: a call for each value costs more than the values.
  const rest = JSON.stringify(others).slice(1)
  return `{${parts}${parts === '' || rest === '}' ? '' : ','}${rest}`
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const hasPrinted = (item: unknown): boolean =>
  isRecord(item) && Object.values(item).some((value) => isRecord(value) && (value as Printed)[PRINTED] !== undefined)
