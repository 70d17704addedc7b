import { timeOf } from '../../xml/times.ts'
import { attributeOf, childOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { compact, type Json } from './json.ts'
import { descriptionOf, informationSourceOf } from './records.ts'
import type { Taken } from './taken.ts'

/** The platform's levels of confidence, impact, cost and efficacy, by their lower-case names. */
const LEVELS: ReadonlyMap<string, string> = new Map(
  ['None', 'Low', 'Medium', 'High', 'Unknown'].map((level) => [level.toLowerCase(), level]),
)

/** Reads a confidence: the plain word if there is nothing else, otherwise a record. */
export function confidenceOf(element: XmlElement | undefined, taken: Taken): string | Json | undefined {
  if (!element) return undefined
  const value = childOf(element, 'Value')
  const word = textOf(value)
  const level = LEVELS.get(word.toLowerCase()) ?? levelOfNumber(word)
  const about = compact({
    description: descriptionOf(element, 'Description', taken),
    source: sourceOf(element, taken),
    timestamp: takeTimestamp(element, taken),
  })
  if (!value || word === '')
    return about?.description || about?.source ? { type: 'confidence', value: 'Unknown', ...about } : undefined
  taken.add(value)
  if (level === undefined) return { type: 'confidence', value: word, value_vocab: vocabularyOf(value), ...about }
  const original = LEVELS.has(word.toLowerCase())
    ? undefined
    : { original_value: word, original_vocab: vocabularyOf(value) }
  if (!original && !about) return level.toLowerCase()
  return { type: 'confidence', value: level, ...original, ...about }
}

/** Converts a percentage to a level, with the same bounds as everywhere else. */
function levelOfNumber(text: string): string | undefined {
  if (!/^\d{1,3}(?:\.\d+)?%?$/.test(text)) return undefined
  const number = Number.parseFloat(text)
  if (number > 100) return undefined
  if (number < 1) return 'None'
  if (number < 30) return 'Low'
  return number < 70 ? 'Medium' : 'High'
}

/** Reads a statement about a level: impact, cost, efficacy. */
export function levelOf(element: XmlElement | undefined, taken: Taken): Json | undefined {
  if (!element) return undefined
  const value = childOf(element, 'Value')
  const word = textOf(value)
  const level = LEVELS.get(word.toLowerCase())
  if (value && word !== '') taken.add(value)
  return compact({
    value: level ?? word,
    value_vocab: word === '' || level !== undefined || !value ? undefined : vocabularyOf(value),
    ...aboutOf(element, taken),
  })
}

/** Reads a statement with a free value, such as an intended effect. */
export function statementOf(element: XmlElement, taken: Taken): Json | undefined {
  const value = childOf(element, 'Value')
  // Older documents have the value directly in the statement.
  const bare = element.content.length === 1 && typeof element.content[0] === 'string' ? textOf(element) : ''
  if (value) taken.add(value)
  if (bare !== '') taken.add(element)
  const about = aboutOf(element, taken)
  const said = textOf(value) || bare || String(about?.description ?? '')
  if (said === '') return undefined
  const vocabulary =
    value &&
    compact({ vocab_name: attributeOf(value, 'vocab_name'), vocab_reference: attributeOf(value, 'vocab_reference') })
  return { value: said, ...vocabulary, ...about }
}

function aboutOf(element: XmlElement, taken: Taken): Json | undefined {
  return compact({
    description: descriptionOf(element, 'Description', taken),
    source: sourceOf(element, taken),
    confidence: confidenceOf(childOf(element, 'Confidence'), taken),
    timestamp: takeTimestamp(element, taken),
  })
}

/** Before STIX 1.2, a source was plain text. */
function sourceOf(element: XmlElement, taken: Taken): string | Json | undefined {
  const source = childOf(element, 'Source')
  if (!source) return undefined
  if (source.content.some((item) => typeof item !== 'string')) return informationSourceOf(source, taken)
  taken.add(source)
  return textOf(source) || undefined
}

function takeTimestamp(element: XmlElement, taken: Taken): string | undefined {
  const attribute = element.attributes.find(({ name, uri }) => name === 'timestamp' && uri === '')
  const time = attribute && timeOf(attribute.value)
  if (attribute && time !== undefined) taken.add(attribute)
  return time
}

const vocabularyOf = (value: XmlElement): string =>
  attributeOf(value, 'vocab_reference') || attributeOf(value, 'vocab_name') || 'other'
