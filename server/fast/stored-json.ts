/** A document as JSON text, which `serializeBody` copies into a response without parsing it. */
export class StoredJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Serialises the body of a response. The stored documents in its `data` are copied. */
export function serializeBody(body: unknown): string | Buffer {
  const data = isRecord(body) ? body.data : undefined
  const items: unknown[] = Array.isArray(data) ? data : [data]
  if (!isRecord(body) || !hasStoredJson(items[0])) return JSON.stringify(body)
  const rest = JSON.stringify({ ...body, data: undefined }).slice(1)
  const pieces = [Array.isArray(data) ? '{"data":[' : '{"data":']
  for (const [i, item] of items.entries()) {
    if (i > 0) pieces.push(',')
    serializeItem(item as Record<string, unknown>, pieces)
  }
  pieces.push(Array.isArray(data) ? ']' : '', rest === '}' ? '' : ',', rest)
  return bytesOf(pieces)
}

function serializeItem(item: Record<string, unknown>, pieces: string[]): void {
  const others: Record<string, unknown> = {}
  let opening = '{'
  for (const key of Object.keys(item)) {
    const value = item[key]
    if (!(value instanceof StoredJson)) others[key] = value
    else {
      pieces.push(`${opening}${JSON.stringify(key)}:`, value.text)
      opening = ','
    }
  }
  const rest = JSON.stringify(others)
  if (opening === '{') pieces.push(rest)
  else pieces.push(rest === '{}' ? '' : ',', rest.slice(1))
}

/** Joins the pieces as bytes: joining them as one string would copy them once more. */
function bytesOf(pieces: readonly string[]): Buffer {
  let length = 0
  for (const piece of pieces) length += Buffer.byteLength(piece)
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at, 'utf8')
  return bytes
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const hasStoredJson = (item: unknown): boolean =>
  isRecord(item) && Object.values(item).some((value) => value instanceof StoredJson)
