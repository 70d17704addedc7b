import type { ObservableType } from '../../../domain/observables/types.ts'
import { observableTypeOf } from '../../../domain/observables/types.ts'
import type { ShippedObservable } from '../../shipment.ts'
import { type XmlNode, xml } from '../../xml/write-xml.ts'
import type { Naming } from './naming.ts'
import { hashNode } from './sources.ts'

/** Writes an observable as CybOX. `keywords` name the entity it belongs to if nothing references it. */
export function observableNode(
  name: string,
  observable: ShippedObservable,
  owner: string,
  naming: Naming,
  keywords: readonly string[] = [],
): XmlNode {
  const { type, value, meta, link_type } = observable
  const words = [
    ...keywords,
    ...(typeof meta.maliciousness === 'string' && meta.maliciousness !== 'unknown'
      ? [`maliciousness=${meta.maliciousness}`]
      : []),
    ...(link_type === null ? [] : [`link_type=${link_type}`]),
  ]
  const said =
    words.length === 0
      ? undefined
      : xml(
          'cybox:Keywords',
          {},
          words.map((word) => xml('cybox:Keyword', {}, word)),
        )
  const id = naming.made('Observable', owner, type, value)
  return xml(name, { id }, said, xml('cybox:Object', {}, propertiesOf(type, value)))
}

/** Combines several observables into one that matches any of them. */
export function anyOf(
  name: string,
  observables: readonly ShippedObservable[],
  owner: string,
  naming: Naming,
): XmlNode | undefined {
  const [first, ...others] = observables
  if (!first) return undefined
  if (others.length === 0) return observableNode(name, first, owner, naming)
  const nodes = observables.map((observable) => observableNode('cybox:Observable', observable, owner, naming))
  return xml(
    name,
    { id: naming.made('Observable', owner) },
    xml('cybox:Observable_Composition', { operator: 'OR' }, nodes),
  )
}

/** Writes a list of observables, unless it is empty. */
export function observablesNode(
  name: string,
  observables: readonly ShippedObservable[],
  owner: string,
  naming: Naming,
): XmlNode | undefined {
  if (observables.length === 0) return undefined
  const nodes = observables.map((observable) => observableNode('cybox:Observable', observable, owner, naming))
  return xml(name, CYBOX_VERSION, nodes)
}

/** The CybOX version used in exports. */
export const CYBOX_VERSION = { cybox_major_version: '2', cybox_minor_version: '1', cybox_update_version: '0' }

const EQUALS = { condition: 'Equals' }

type Build = (value: string) => XmlNode

const properties = (
  type: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly XmlNode[]
): XmlNode => xml('cybox:Properties', { 'xsi:type': type, ...attributes }, content)

const address =
  (category: string): Build =>
  (value) =>
    properties('AddressObj:AddressObjectType', { category }, xml('AddressObj:Address_Value', EQUALS, value))

const hash =
  (algorithm: string): Build =>
  (value) => {
    const node = hashNode(algorithm, value)
    return properties('FileObj:FileObjectType', {}, xml('FileObj:Hashes', {}, node))
  }

const leaf =
  (type: string, ...path: readonly string[]): Build =>
  (value) => {
    const prefix = type.split(':')[0] ?? ''
    const [last = '', ...outer] = path.toReversed()
    const inner = xml(`${prefix}:${last}`, EQUALS, value)
    return properties(
      type,
      {},
      outer.reduce((node, name) => xml(`${prefix}:${name}`, {}, node), inner),
    )
  }

const range: Build = (value) =>
  properties(
    'AddressObj:AddressObjectType',
    { category: value.includes(':') ? 'ipv6-addr' : 'ipv4-addr' },
    xml(
      'AddressObj:Address_Value',
      { condition: 'InclusiveBetween', apply_condition: 'ANY' },
      value
        .split(/[-\u2013]/)
        .map((end) => end.trim())
        .join('##comma##'),
    ),
  )

function registryKey(value: string): XmlNode {
  const [, hive = '', key = ''] = /^(HKEY_[A-Z_]+)\\(.+)$/s.exec(value) ?? []
  const nodes =
    hive === ''
      ? [xml('WinRegistryKeyObj:Key', EQUALS, value)]
      : [xml('WinRegistryKeyObj:Key', EQUALS, key), xml('WinRegistryKeyObj:Hive', EQUALS, hive)]
  return properties('WinRegistryKeyObj:WindowsRegistryKeyObjectType', {}, ...nodes)
}

const file: Build = (value) => leaf('FileObj:FileObjectType', /[\\/]/.test(value) ? 'Full_Path' : 'File_Name')(value)

const BUILDERS: Partial<Record<ObservableType, Build>> = {
  asn: (value) => leaf('ASObj:ASObjectType', 'Number')(value.replace(/^AS/i, '')),
  'certificate-issuer': leaf('X509CertificateObj:X509CertificateObjectType', 'Certificate', 'Issuer'),
  'certificate-serial-number': leaf('X509CertificateObj:X509CertificateObjectType', 'Certificate', 'Serial_Number'),
  'certificate-subject': leaf('X509CertificateObj:X509CertificateObjectType', 'Certificate', 'Subject'),
  domain: (value) =>
    properties('DomainNameObj:DomainNameObjectType', { type: 'FQDN' }, xml('DomainNameObj:Value', EQUALS, value)),
  email: address('e-mail'),
  'email-subject': leaf('EmailMessageObj:EmailMessageObjectType', 'Header', 'Subject'),
  file,
  'file-size': leaf('FileObj:FileObjectType', 'Size_In_Bytes'),
  'hash-authentihash': hash('AUTHENTIHASH'),
  'hash-imphash': hash('IMPHASH'),
  'hash-md5': hash('MD5'),
  'hash-rich-pe-header': hash('RICH-PE-HEADER'),
  'hash-sha1': hash('SHA1'),
  'hash-sha224': hash('SHA224'),
  'hash-sha256': hash('SHA256'),
  'hash-sha384': hash('SHA384'),
  'hash-sha512': hash('SHA512'),
  'hash-ssdeep': hash('SSDEEP'),
  'hash-vhash': hash('VHASH'),
  host: leaf('HostnameObj:HostnameObjectType', 'Hostname_Value'),
  inetnum: range,
  ipv4: address('ipv4-addr'),
  'ipv4-cidr': address('cidr'),
  ipv6: address('ipv6-addr'),
  'ipv6-cidr': address('cidr'),
  'mac-48': address('mac'),
  mutex: leaf('MutexObj:MutexObjectType', 'Name'),
  port: leaf('PortObj:PortObjectType', 'Port_Value'),
  process: leaf('ProcessObj:ProcessObjectType', 'Image_Info', 'Command_Line'),
  'process-name': leaf('ProcessObj:ProcessObjectType', 'Name'),
  product: leaf('ProductObj:ProductObjectType', 'Product'),
  uri: (value) => properties('URIObj:URIObjectType', { type: 'URL' }, xml('URIObj:Value', EQUALS, value)),
  'user-account': leaf('UserAccountObj:UserAccountObjectType', 'Username'),
  'user-agent': leaf(
    'HTTPSessionObj:HTTPSessionObjectType',
    'HTTP_Request_Response',
    'HTTP_Client_Request',
    'HTTP_Request_Header',
    'Parsed_Header',
    'User_Agent',
  ),
  winregistry: registryKey,
}

/** Types without a CybOX object become custom objects with one property that is named after the type. */
function propertiesOf(type: string, value: string): XmlNode {
  const known = observableTypeOf(type)
  const build = known && BUILDERS[known]
  // A value that contains the delimiter would be read as two.
  if (build && !value.includes('##comma##')) return build(value)
  const name = /^[a-z][a-z\d-]*$/.test(type) ? type : 'other'
  const property = xml('cyboxCommon:Property', { name, condition: 'Equals', delimiter: delimiterFor(value) }, value)
  return properties(
    'CustomObj:CustomObjectType',
    { custom_name: name },
    xml('cyboxCommon:Custom_Properties', {}, property),
  )
}

const delimiterFor = (value: string): string | undefined => (value.includes('##comma##') ? '##none##' : undefined)
