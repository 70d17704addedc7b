import { xmlTimeOf } from '../../xml/times.ts'
import { type XmlNode, xml, xmlUnlessEmpty } from '../../xml/write-xml.ts'
import { listIn, recordIn, recordsIn, textIn, wordsIn } from './fields.ts'
import type { Naming } from './naming.ts'
import { describe, termNode, uriOf } from './terms.ts'

/** Writes an information source. */
export function informationSourceNode(name: string, value: unknown, naming: Naming): XmlNode | undefined {
  const record = recordIn(value)
  if (!record) return undefined
  const time = recordIn(record.time)
  return xmlUnlessEmpty(
    name,
    describe('stixCommon:Description', record.description),
    identityNode('stixCommon:Identity', record.identity, naming),
    listIn(record.roles).map((role) => termNode('stixCommon:Role', role, 'InformationSourceRoleVocab-1.0')),
    xmlUnlessEmpty(
      'stixCommon:Contributing_Sources',
      recordsIn(record.contributing_sources).map((source) =>
        informationSourceNode('stixCommon:Source', source, naming),
      ),
    ),
    xmlUnlessEmpty(
      'stixCommon:Time',
      ['Start', 'End', 'Produced', 'Received'].map((moment) =>
        timeNode(
          `cyboxCommon:${moment}_Time`,
          time?.[`${moment.toLowerCase()}_time`],
          time?.[`${moment.toLowerCase()}_time_precision`],
        ),
      ),
    ),
    xmlUnlessEmpty(
      'stixCommon:Tools',
      recordsIn(record.tools).map((tool) => toolNode('cyboxCommon:Tool', tool, naming, false)),
    ),
    xmlUnlessEmpty(
      'stixCommon:References',
      wordsIn(record.references).map((reference) => referenceNode('stixCommon:Reference', reference)),
    ),
  )
}

/** Writes an external reference, unless it is not a URI. */
export function referenceNode(name: string, value: unknown): XmlNode | undefined {
  const uri = uriOf(value)
  return uri === undefined ? undefined : xml(name, {}, uri)
}

const PRECISIONS = new Set<unknown>(['year', 'month', 'day', 'hour', 'minute', 'second'])

/** Writes a timestamp and its precision. */
export function timeNode(name: string, value: unknown, precision?: unknown): XmlNode | undefined {
  const time = typeof value === 'string' ? xmlTimeOf(value) : undefined
  if (time === undefined) return undefined
  return xml(name, { precision: PRECISIONS.has(precision) ? String(precision) : undefined }, time)
}

/** Writes an identity that is named inside a component. Of its specification, only the roles are written. */
export function identityNode(name: string, value: unknown, naming: Naming): XmlNode | undefined {
  const record = recordIn(value)
  if (!record) return undefined
  const own = textIn(record.name)
  const ids = { id: naming.optional(record.id), idref: naming.optional(record.idref) }
  const roles = wordsIn(record.roles)
  if (own === undefined && roles.length === 0 && ids.id === undefined && ids.idref === undefined) return undefined
  return partyNode(name, ids, own === undefined ? [] : [own], [], roles)
}

/** Writes a party with names, aliases and roles. Only plain names need no extension. */
export function partyNode(
  name: string,
  ids: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  aliases: readonly string[],
  roles: readonly string[],
): XmlNode {
  const plain = names[0] === undefined ? undefined : xml('stixCommon:Name', {}, names[0])
  if (names.length < 2 && aliases.length === 0 && roles.length === 0) return xml(name, ids, plain)
  const nameNode = (text: string, type?: string) =>
    xml('xnl:OrganisationName', { 'xnl:Type': type }, xml('xnl:NameElement', {}, text))
  const party = xmlUnlessEmpty(
    'xpil:PartyName',
    names.map((one) => nameNode(one)),
    aliases.map((one) => nameNode(one, 'UnofficialName')),
  )
  return xml(
    name,
    { ...ids, 'xsi:type': 'ciqIdentity:CIQIdentity3.0InstanceType' },
    plain,
    xml('ciqIdentity:Specification', {}, party),
    roles.map((role) => xml('ciqIdentity:Role', {}, role)),
  )
}

/** Writes a tool. Only tools of attackers have a title and a short description. */
export function toolNode(name: string, value: unknown, naming: Naming, isOfAttacker: boolean): XmlNode | undefined {
  const record = recordIn(value)
  if (!record) return undefined
  const text = (element: string, field: unknown) => describe(`cyboxCommon:${element}`, field)
  return xml(
    name,
    { id: naming.optional(record.id), idref: naming.optional(record.idref) },
    text('Name', record.name),
    listIn(record.types).map((type) =>
      isOfAttacker
        ? termNode('cyboxCommon:Type', type, 'AttackerToolTypeVocab-1.0')
        : termNode('cyboxCommon:Type', type, undefined),
    ),
    text('Description', record.description),
    xmlUnlessEmpty(
      'cyboxCommon:References',
      wordsIn(record.references).map((one) => referenceNode('cyboxCommon:Reference', one)),
    ),
    text('Vendor', record.vendor),
    text('Version', record.version),
    text('Service_Pack', record.service_pack),
    xmlUnlessEmpty(
      'cyboxCommon:Tool_Hashes',
      recordsIn(record.hashes).map((hash) => hashNode(textIn(hash.hash_type), textIn(hash.value))),
    ),
    isOfAttacker
      ? [describe('stixCommon:Title', record.title), describe('stixCommon:Short_Description', record.short_description)]
      : undefined,
  )
}

const HASH_NAMES = new Set(['MD5', 'MD6', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SSDEEP'])

/** Writes a file hash, by the name of its algorithm. */
export function hashNode(algorithm: string | undefined, value: string | undefined): XmlNode | undefined {
  if (value === undefined) return undefined
  const type = algorithm !== undefined && HASH_NAMES.has(algorithm) ? 'cyboxVocabs:HashNameVocab-1.0' : undefined
  const element = algorithm === 'SSDEEP' ? 'cyboxCommon:Fuzzy_Hash_Value' : 'cyboxCommon:Simple_Hash_Value'
  return xml(
    'cyboxCommon:Hash',
    {},
    algorithm === undefined ? undefined : xml('cyboxCommon:Type', { 'xsi:type': type }, algorithm),
    xml(element, { condition: 'Equals' }, value),
  )
}
