import { xmlTimeOf } from '../../xml/times.ts'
import { type XmlNode, xml } from '../../xml/write-xml.ts'
import { isInVocabulary, type Vocabulary } from '../vocabularies.ts'
import { recordIn, textIn } from './fields.ts'
import type { Naming } from './naming.ts'
import { informationSourceNode } from './sources.ts'
import { describe, termNode, uriOf } from './terms.ts'

/** Writes a confidence, which is a word or a record. */
export function confidenceNode(name: string, value: unknown, naming: Naming): XmlNode | undefined {
  const word = textIn(value)
  if (word !== undefined) return xml(name, {}, levelNode(capitalised(word)))
  const record = recordIn(value)
  const level = textIn(record?.value)
  if (!record || level === undefined) return undefined
  const original = textIn(record.original_value)
  const vocabulary = textIn(record.original_vocab) ?? textIn(record.value_vocab)
  const valueNode =
    original === undefined && isInVocabulary(LEVELS, level)
      ? levelNode(level)
      : foreignNode(original ?? level, vocabulary)
  return xml(
    name,
    { timestamp: timeIn(record.timestamp) },
    valueNode,
    describe('stixCommon:Description', record.description),
    sourceNode(record.source, naming),
  )
}

/** Writes a statement: a value and remarks about it. */
export function statementNode(
  name: string,
  value: unknown,
  vocabulary: Vocabulary,
  naming: Naming,
): XmlNode | undefined {
  const word = textIn(value)
  if (word !== undefined) return xml(name, {}, termNode('stixCommon:Value', word, vocabulary))
  const record = recordIn(value)
  if (!record) return undefined
  const content = [
    termNode('stixCommon:Value', textIn(record.value) === undefined ? undefined : record, vocabulary),
    describe('stixCommon:Description', record.description),
    sourceNode(record.source, naming),
    confidenceNode('stixCommon:Confidence', record.confidence, naming),
  ]
  return content.every((item) => item === undefined)
    ? undefined
    : xml(name, { timestamp: timeIn(record.timestamp) }, content)
}

const LEVELS: Vocabulary = 'HighMediumLowVocab-1.0'

const levelNode = (level: string): XmlNode | undefined => termNode('stixCommon:Value', level, LEVELS)

const foreignNode = (value: string, vocabulary: string | undefined): XmlNode => {
  const reference = vocabulary?.includes(':') ? uriOf(vocabulary) : undefined
  const vocab_name = reference === undefined && vocabulary !== 'other' ? vocabulary : undefined
  return xml('stixCommon:Value', { vocab_reference: reference, vocab_name }, value)
}

const timeIn = (value: unknown): string | undefined => (typeof value === 'string' ? xmlTimeOf(value) : undefined)

function sourceNode(value: unknown, naming: Naming): XmlNode | undefined {
  const text = textIn(value)
  if (text !== undefined) return xml('stixCommon:Source', {}, xml('stixCommon:Description', {}, text))
  return informationSourceNode('stixCommon:Source', value, naming)
}

const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
