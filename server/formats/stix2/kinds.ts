import { isRecord } from '../../domain/record.ts'
import {
  type Check,
  dictionaryOf,
  integer,
  isAny,
  isHash,
  isNamedHash,
  isText,
  isTime,
  listOf,
  matches,
  number,
  recordOf,
} from './checks.ts'
import { CYBER_FITS } from './cyber-kinds.ts'
import { isStixId, isTypeName } from './ids.ts'
import { isUri } from './uri.ts'

/**
 * The kind of value a STIX 2.1 property holds, as defined by the schemas and checked by strict readers. Reference kinds list the allowed
 * target types (`id identity`) or the forbidden ones (`ids !relationship !sighting`).
 */
export type Kind = keyof typeof FITS | `id ${string}` | `ids ${string}`

/** Whether a value is valid for a kind of property. */
export const fits = (kind: Kind, value: unknown): boolean => checkOf(kind)(value)

/** Whether a record is a valid external reference. */
export function isReference(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.source_name)) return false
  const { source_name, description, url, external_id, hashes } = value
  const others = [description, url, external_id].filter((other) => other !== undefined)
  if (others.length === 0 || !others.every(isText)) return false
  if (url !== undefined && !fits('uri', url)) return false
  if (hashes !== undefined && !(fits('hashes', hashes) && isRecord(hashes) && Object.keys(hashes).every(isNamedHash)))
    return false
  // Ids of the catalogues that STIX knows have a fixed form, and references to other catalogues must not use it.
  const catalogue = CATALOGUES.find(({ form }) => typeof external_id === 'string' && form.test(external_id))?.name
  const isCatalogue = CATALOGUES.some(({ name }) => name === source_name)
  return isCatalogue ? catalogue === source_name : catalogue === undefined
}

const CATALOGUES = [
  { name: 'cve', form: /^CVE-\d{4}-(?:0\d{3}|[1-9]\d{3,})$/ },
  { name: 'capec', form: /^CAPEC-\d+$/ },
] as const

/** Whether an extension is allowed in an object under this key. */
export function isExtension(name: string, value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length === 0) return false
  const isNamed = Object.entries(value).every(([key, member]) => isMember(key, member))
  if (isStixId(name, 'extension-definition')) return isNamed && EXTENSION_TYPES.has(value.extension_type)
  return isNamed && name.length <= 250 && isPlainExtensionName(name)
}

const EXTENSION_TYPES = new Set<unknown>([
  'new-sdo',
  'new-sco',
  'new-sro',
  'property-extension',
  'toplevel-property-extension',
])

const isPlainExtensionName = (name: string): boolean => name.endsWith('-ext') && isTypeName(name)

const isMember = (name: string, value: unknown): boolean =>
  /^[a-z][a-z0-9_]{2,249}$/.test(name) &&
  fits('any', value) &&
  (!name.endsWith('_bin') || fits('binary', value)) &&
  (!name.endsWith('_hex') || fits('hex', value))

const SELECTOR = /^(?:[a-z0-9_-]{3,249}(?:\.(?:\[\d+\]|[a-z0-9_-]{1,250}))*|id)$/

const FITS = {
  ...CYBER_FITS,
  any: isAny,
  binary: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/),
  dictionary: dictionaryOf(isAny),
  extensions: recordOf(isExtension),
  flag: (value: unknown) => typeof value === 'boolean',
  hashes: recordOf(isHash),
  hex: matches(/^(?:[a-fA-F0-9]{2})+$/),
  id: (value: unknown) => isStixId(value),
  ids: listOf((value) => isStixId(value)),
  integer: integer(),
  key: matches(/^[a-z0-9-]+$/),
  latitude: number(-90, 90),
  longitude: number(-180, 180),
  markings: listOf(
    (value) =>
      isRecord(value) &&
      listOf(matches(SELECTOR))(value.selectors) &&
      isStixId(value.marking_ref, 'marking-definition') &&
      (value.lang === undefined || isText(value.lang)),
  ),
  natural: integer(0),
  number: number(),
  opinion: matches(/^(?:strongly-disagree|disagree|neutral|agree|strongly-agree)$/),
  percent: integer(0, 100),
  phases: listOf((value) => isRecord(value) && isText(value.kill_chain_name) && isText(value.phase_name)),
  port: integer(0, 65_535),
  positive: integer(1, 999_999_999),
  record: recordOf(() => true),
  references: listOf(isReference),
  // Creation and modification times need at least milliseconds.
  stamp: (value: unknown) => isTime(value) && /\.\d{3,}Z$/.test(String(value)),
  strings: dictionaryOf(isText),
  text: isText,
  texts: listOf(isText),
  time: isTime,
  uri: (value: unknown) => typeof value === 'string' && isUri(value),
  values: dictionaryOf((value) => isText(value) || Number.isSafeInteger(value)),
  whole: integer(0, 999_999_999),
} satisfies Readonly<Record<string, Check>>

const CHECKS = new Map<Kind, Check>(Object.entries(FITS) as [Kind, Check][])

function checkOf(kind: Kind): Check {
  const known = CHECKS.get(kind)
  if (known) return known
  const made = referring(kind)
  CHECKS.set(kind, made)
  return made
}

/** Builds the check for a reference kind with target types. */
function referring(kind: Kind): Check {
  const [base, ...types] = kind.split(' ')
  const forbidden = new Set(types.filter((type) => type.startsWith('!')).map((type) => type.slice(1)))
  const allowed = new Set(types.filter((type) => !type.startsWith('!')))
  const leads: Check = (id) => {
    const type = typeof id === 'string' && isStixId(id) ? id.slice(0, id.indexOf('--')) : undefined
    return type !== undefined && !forbidden.has(type) && (allowed.size === 0 || allowed.has(type))
  }
  return base === 'id' ? leads : listOf(leads)
}
