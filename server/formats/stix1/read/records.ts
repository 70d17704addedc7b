import { timeOf } from '../../xml/times.ts'
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { stixIdOf } from '../stix1-ids.ts'
import { identityOf } from './identity.ts'
import { compact, type Json } from './json.ts'
import { type Taken, takeText, takeTexts } from './taken.ts'

/** Reads an information source. */
export function informationSourceOf(element: XmlElement | undefined, taken: Taken): Json | undefined {
  if (!element) return undefined
  const sources = childOf(element, 'Contributing_Sources')
  const tools = childOf(element, 'Tools')
  const record = compact({
    description: descriptionOf(element, 'Description', taken),
    identity: identityOf(childOf(element, 'Identity'), taken),
    roles: childrenOf(element, 'Role').map((role) => termOf(role, taken)),
    contributing_sources: sources && childrenOf(sources, 'Source').map((source) => informationSourceOf(source, taken)),
    time: timeSpanOf(childOf(element, 'Time'), taken),
    tools: tools && childrenOf(tools, 'Tool').map((tool) => toolInformationOf(tool, taken)),
    references: takeTexts(childOf(element, 'References'), 'Reference', taken),
  })
  return record && { type: 'information-source', ...record }
}

/** Joins the texts of all elements with one name. */
export const descriptionOf = (parent: XmlElement, name: string, taken: Taken): string | undefined =>
  takeTexts(parent, name, taken).join('\n') || undefined

/** Reads a vocabulary term: the plain word, or a record if it names a vocabulary of its own. */
export function termOf(element: XmlElement | undefined, taken: Taken): string | Json | undefined {
  if (!element || textOf(element) === '') return undefined
  taken.add(element)
  const vocabulary = compact({
    vocab_name: attributeOf(element, 'vocab_name'),
    vocab_reference: attributeOf(element, 'vocab_reference'),
  })
  return vocabulary ? { value: textOf(element), ...vocabulary } : textOf(element)
}

/** Reads the terms of all child elements with one name. */
export const termsOf = (parent: XmlElement | undefined, name: string, taken: Taken) =>
  parent ? childrenOf(parent, name).flatMap((element) => termOf(element, taken) ?? []) : []

/** Reads a word from a known list. Other words name their own vocabulary. */
export function knownTermOf(element: XmlElement, words: ReadonlySet<string>, taken: Taken): Json | undefined {
  const value = textOf(element)
  if (value === '') return undefined
  taken.add(element)
  if (words.has(value)) return { value }
  return {
    value,
    value_vocab: attributeOf(element, 'vocab_reference') || attributeOf(element, 'vocab_name') || 'other',
  }
}

/** Reads the start, end, produced and received times. */
function timeSpanOf(element: XmlElement | undefined, taken: Taken): Json | undefined {
  const fields = ['start', 'end', 'produced', 'received'].flatMap((name) => {
    const child = childOf(element, `${name.charAt(0).toUpperCase()}${name.slice(1)}_Time`)
    return timeFieldsOf(child, `${name}_time`, taken)
  })
  return fields.length === 0 ? undefined : { type: 'time', ...Object.fromEntries(fields) }
}

/** Reads a timestamp and its precision as fields of a record. */
export function timeFieldsOf(element: XmlElement | undefined, name: string, taken: Taken): [string, string][] {
  const time = element && timeOf(textOf(element))
  if (!element || time === undefined) return []
  taken.add(element)
  const precision = attributeOf(element, 'precision')
  return PRECISIONS.has(precision)
    ? [
        [name, time],
        [`${name}_precision`, precision],
      ]
    : [[name, time]]
}

const PRECISIONS = new Set(['year', 'month', 'day', 'hour', 'minute', 'second'])

/** Reads a tool, used by attackers or by defenders. */
export function toolInformationOf(element: XmlElement, taken: Taken): Json | undefined {
  const hashes = childOf(element, 'Tool_Hashes')
  const record = compact({
    id: stixIdOf(element, 'id'),
    idref: stixIdOf(element, 'idref'),
    name: takeText(element, 'Name', taken),
    title: takeText(element, 'Title', taken),
    description: descriptionOf(element, 'Description', taken),
    short_description: descriptionOf(element, 'Short_Description', taken),
    vendor: takeText(element, 'Vendor', taken),
    version: takeText(element, 'Version', taken),
    service_pack: takeText(element, 'Service_Pack', taken),
    types: childrenOf(element, 'Type').map((type) => knownTermOf(type, TOOL_TYPES, taken)),
    hashes: hashes && childrenOf(hashes, 'Hash').map((hash) => hashOf(hash, taken)),
    references: takeTexts(childOf(element, 'References'), 'Reference', taken),
  })
  return record && { type: 'tool-information', ...record }
}

const TOOL_TYPES = new Set([
  'Malware',
  'Penetration Testing',
  'Port Scanner',
  'Traffic Scanner',
  'Vulnerability Scanner',
  'Application Scanner',
  'Password Cracking',
])

const HASH_TYPES = new Set(['MD5', 'MD6', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SSDEEP'])

function hashOf(element: XmlElement, taken: Taken): Json | undefined {
  const value = takeText(element, 'Simple_Hash_Value', taken) ?? takeText(element, 'Fuzzy_Hash_Value', taken)
  const hash_type = takeText(element, 'Type', taken) ?? 'Other'
  if (value === undefined) return undefined
  return { type: 'hash', hash_type, value, ...(!HASH_TYPES.has(hash_type) && { hash_type_vocab: 'other' }) }
}

/** Reads the terms of all child elements with one name, and separately the words of a STIX 2.1 vocabulary. */
export function termsByVocabulary(parent: XmlElement | undefined, name: string, vocabulary: string, taken: Taken) {
  const all = parent ? childrenOf(parent, name) : []
  const isOther = (element: XmlElement) => attributeOf(element, 'vocab_name') === vocabulary
  for (const element of all) taken.add(element)
  return {
    terms: all.filter((element) => !isOther(element)).flatMap((element) => termOf(element, taken) ?? []),
    words: all.filter(isOther).map(textOf),
  }
}
