import type { Document } from '../document.ts'
import { encodingOf } from '../encoding/encoding.ts'
import type { Reader } from '../finding.ts'
import { formOf } from './form.ts'
import { listReader } from './read-list.ts'
import { sampleOf } from './sample.ts'

/** A list detected in a document, and its reader. */
export interface DetectedList {
  /** Whether its lines have several cells. */
  readonly isTable: boolean
  readonly read: Reader
}

/** Detects whether a text is a list of observables by its contents; otherwise undefined. */
export async function detectList(document: Document): Promise<DetectedList | undefined> {
  const encoding = await encodingOf(document)
  if (encoding.startsWith('utf-32')) return undefined
  const form = await formOf(await sampleOf(document, encoding))
  return form && { isTable: form.delimiter !== undefined, read: listReader(form, encoding) }
}
