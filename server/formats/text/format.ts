import type { Document } from '../document.ts'
import type { Format, Way } from '../format.ts'
import type { TextFormat } from './text-readers.ts'

/** Reads a document as text written for people. */
export const readAsText = async (format: TextFormat): Promise<Way> => ({
  read: (await import('./in-thread.ts')).textReader(format),
  isText: true,
})

const textFormat = (kind: TextFormat): Format & { readonly contentTypes: readonly [] } => ({
  kind,
  read: () => readAsText(kind),
  contentTypes: [],
})

/** Documents written for people. */
export const textFormats = [
  textFormat('html'),
  textFormat('markdown'),
  textFormat('email'),
  textFormat('pdf'),
  textFormat('docx'),
  { ...textFormat('text'), read: readPlainText },
] as const

/** A text whose lines are a list is read as a list, however long it is. */
async function readPlainText(document: Document): Promise<Way> {
  const list = await (await import('../lists/detect-list.ts')).detectList(document)
  return list ? { read: list.read, isText: true } : readAsText('text')
}
