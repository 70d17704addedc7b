import { attributeOf, childOf, childrenOf, textOf, typeNameOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { stixIdOf } from '../stix1-ids.ts'
import { compact, type Json } from './json.ts'
import { type Taken, takeText, takeTexts } from './taken.ts'

/** Reads an identity that is named inside a component. */
export function identityOf(element: XmlElement | undefined, taken: Taken): Json | undefined {
  if (!element) return undefined
  const specification = childOf(element, 'Specification')
  if (specification) taken.add(specification)
  const [partyName] = namesIn(specification)
  const record = compact({
    id: stixIdOf(element, 'id'),
    idref: stixIdOf(element, 'idref'),
    name: takeText(element, 'Name', taken) ?? partyName?.name,
    roles: takeTexts(element, 'Role', taken),
    specification_xml: specification && xmlText(specification),
    specification_xml_type: specification && typeNameOf(element),
  })
  return record && { type: 'identity', ...record }
}

/** A name of a party, and whether it is an alias. */
export interface PartyName {
  readonly name: string
  readonly isAlias: boolean
}

const ALIASES = new Set(['Alias', 'KnownAs', 'UnofficialName', 'NickName'])

/** Returns the names of the party in a CIQ specification. */
export function namesIn(specification: XmlElement | undefined): PartyName[] {
  const party = childOf(specification, 'PartyName')
  const names = party
    ? childrenOf(party).filter(({ name }) => name === 'OrganisationName' || name === 'PersonName')
    : []
  return names.flatMap((element) => {
    const name = childrenOf(element, 'NameElement').map(textOf).join(' ').trim()
    const kind =
      element.attributes.find((attribute) => attribute.name === 'Type')?.value ?? attributeOf(element, 'Type')
    return name === '' ? [] : [{ name, isAlias: ALIASES.has(kind) }]
  })
}
