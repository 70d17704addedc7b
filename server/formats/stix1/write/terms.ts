import { type XmlNode, xml } from '../../xml/write-xml.ts'
import { isInVocabulary, type Vocabulary } from '../vocabularies.ts'
import { recordIn, textIn, wordIn } from './fields.ts'

/** Writes a term, with the default vocabulary if the term is part of it. */
export function termNode(name: string, value: unknown, vocabulary: Vocabulary | undefined): XmlNode | undefined {
  const word = wordIn(value)
  if (word === undefined) return undefined
  const record = recordIn(value)
  const vocab_name = textIn(record?.vocab_name)
  const vocab_reference = uriOf(record?.vocab_reference)
  if (vocab_name === undefined && vocab_reference === undefined && vocabulary && isInVocabulary(vocabulary, word))
    return xml(name, { 'xsi:type': `stixVocabs:${vocabulary}` }, word)
  return xml(name, { vocab_name, vocab_reference }, word)
}

/** Writes a text element, unless the text is empty. */
export function describe(name: string, value: unknown, structuring_format?: string): XmlNode | undefined {
  const text = textIn(value)
  return text === undefined ? undefined : xml(name, { structuring_format }, text)
}

const URI = /^(?:[\w.~:/?@!$&'()*+,;=-]|%[\dA-Fa-f]{2})+(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)?$/

/** Converts a reference to a valid XML Schema URI; undefined if that is not possible. */
export function uriOf(value: unknown): string | undefined {
  const text = textIn(value)?.trim()
  if (text === undefined || !text.isWellFormed()) return undefined
  const escaped = /^[!-~]*$/.test(text) ? text : encodeURI(text)
  // A colon before the first slash ends a scheme.
  const hasScheme = /^[^/?#]*:/.test(escaped)
  if (!URI.test(escaped) || (hasScheme && !(/^[A-Za-z][A-Za-z\d+.-]*:./.test(escaped) && URL.canParse(escaped))))
    return undefined
  return escaped
}
