import { ApiError } from '../../engine/errors.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { parseTimestamp } from '../../engine/timestamp.ts'
import { type Document, DocumentError } from '../../formats/document.ts'
import { readItems } from '../../formats/json/read-items.ts'

/** In bytes; as large as a JSON body of the API may be. */
const LARGEST = 64 * 1024 * 1024

/** So many objects are told one by one in a status; of more there are only counts. */
export const MOST_TOLD = 10_000

const MOST_FAULTS = 100

/** Which object it is, and in which version; null where it says nothing of it. */
export interface Sent {
  readonly id: string
  readonly version: string | null
}

/** What is known of an envelope once it was read. */
export interface Counted {
  readonly count: number
  /** Null where there are too many to tell. */
  readonly objects: readonly Sent[] | null
}

/** The largest envelope that is taken, in bytes. */
export const largestEnvelope = ({ largestFile = LARGEST }: Pick<Context, 'largestFile'>): number =>
  Math.min(largestFile, LARGEST)

/** Passes bytes on, and refuses an envelope with too many of them. */
export async function* bounded(content: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) throw tooLarge(most)
    yield chunk
  }
}

export const tooLarge = (most: number): ApiError => new ApiError(413, `An envelope has at most ${most} bytes.`)

/** Reads what was sent to see whether it is an envelope of objects that can be told apart; anything else is a 422. */
export async function checkEnvelope(document: Document): Promise<Counted> {
  const faults: string[] = []
  const objects: Sent[] = []
  let count = 0
  try {
    for await (const found of readItems(document, ['objects'])) {
      if ('rest' in found) continue
      count++
      const fault = faultIn(found.value)
      if (fault && faults.length < MOST_FAULTS) faults.push(`objects[${found.index}]${fault}`)
      else if (!fault && objects.length <= MOST_TOLD) objects.push(sentOf(found.value as Item))
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new ApiError(422, `The envelope is not valid JSON: ${error.message}`)
  }
  if (count === 0) faults.push('objects: must be a list of one object at least.')
  if (faults.length > 0) throw new ApiError(422, faults)
  return { count, objects: count > MOST_TOLD ? null : objects }
}

const LONGEST_ID = 500

function faultIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ': must be an object.'
  const isText = (text: unknown) =>
    typeof text === 'string' && text !== '' && text.length <= LONGEST_ID && text.isWellFormed() && !text.includes('\0')
  const { type, id } = value as Item
  if (!isText(type)) return '.type: must be a text.'
  return isText(id) ? undefined : '.id: must be a text.'
}

function sentOf({ id, modified, created }: Item): Sent {
  const time = [modified, created].find((each) => typeof each === 'string' && parseTimestamp(each) !== undefined)
  return { id: String(id), version: parseTimestamp(String(time)) === undefined ? null : String(time) }
}
