import { parseTimestamp } from '../../domain/timestamp.ts'
import type { Context, Item } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { type Document, DocumentError } from '../../formats/document.ts'
import { readItems } from '../../formats/json/read-items.ts'

/** In bytes; the same as the limit of JSON bodies of the API. */
const MAX_ENVELOPE_BYTES = 64 * 1024 * 1024

/** How many objects a status lists individually; for more there are only counts. */
export const MAX_LISTED_OBJECTS = 10_000

const MAX_ERRORS = 100

/** The id and version of an object that was sent; null if it states no version. */
export interface Sent {
  readonly id: string
  readonly version: string | null
}

/** What is known about an envelope after reading it. */
export interface Counted {
  readonly count: number
  /** Null if there are too many to list. */
  readonly objects: readonly Sent[] | null
}

/** The largest accepted envelope, in bytes. */
export const largestEnvelope = ({ largestFile = MAX_ENVELOPE_BYTES }: Pick<Context, 'largestFile'>): number =>
  Math.min(largestFile, MAX_ENVELOPE_BYTES)

/** Passes content through, and refuses an envelope that is too large. */
export async function* bounded(content: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) throw tooLarge(most)
    yield chunk
  }
}

export const tooLarge = (most: number): ApiError => new ApiError(413, `An envelope must be at most ${most} bytes.`)

/** Reads content to check that it is an envelope of objects with types and ids; anything else is a 422. */
export async function checkEnvelope(document: Document): Promise<Counted> {
  const faults: string[] = []
  const objects: Sent[] = []
  let count = 0
  try {
    for await (const found of readItems(document, ['objects'])) {
      if ('rest' in found) continue
      count++
      const fault = faultIn(found.value)
      if (fault && faults.length < MAX_ERRORS) faults.push(`objects[${found.index}]${fault}`)
      else if (!fault && objects.length <= MAX_LISTED_OBJECTS) objects.push(sentOf(found.value as Item))
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new ApiError(422, `The envelope is not valid JSON: ${error.message}`)
  }
  if (count === 0) faults.push('objects: must be a list with at least one object.')
  if (faults.length > 0) throw new ApiError(422, faults)
  return { count, objects: count > MAX_LISTED_OBJECTS ? null : objects }
}

const MAX_ID_LENGTH = 500

function faultIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ': must be an object.'
  const isText = (text: unknown) =>
    typeof text === 'string' &&
    text !== '' &&
    text.length <= MAX_ID_LENGTH &&
    text.isWellFormed() &&
    !text.includes('\0')
  const { type, id } = value as Item
  if (!isText(type)) return '.type: must be a text.'
  return isText(id) ? undefined : '.id: must be a text.'
}

function sentOf({ id, modified, created }: Item): Sent {
  const time = [modified, created].find((each) => typeof each === 'string' && parseTimestamp(each) !== undefined)
  return { id: String(id), version: parseTimestamp(String(time)) === undefined ? null : String(time) }
}
