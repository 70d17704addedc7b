import { isIPv4, isIPv6 } from 'node:net'
import { isRecord } from '../../domain/record.ts'
import { type Check, dictionaryOf, integer, isHash, isText, isTime, listOf, matches, recordOf } from './checks.ts'

const words = (list: string): Check => {
  const known = new Set<unknown>(list.trim().split(/\s+/))
  return (value) => known.has(value)
}

/** Checks for an address or a CIDR network. */
const addressOf =
  (isAddress: (text: string) => boolean, bits: number): Check =>
  (value) => {
    if (typeof value !== 'string') return false
    const [address = '', length, ...more] = value.split('/')
    const isLength = length === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bits)
    return isAddress(address) && isLength && more.length === 0
  }

/** STIX accepts only ASCII in the local part of e-mail addresses. */
const EMAIL_LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+$/
const EMAIL_LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i

function isEmail(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 400) return false
  const at = value.lastIndexOf('@')
  const labels = value.slice(at + 1).split('.')
  return (
    at > 0 &&
    labels.length > 1 &&
    value
      .slice(0, at)
      .split('.')
      .every((word) => EMAIL_LOCAL.test(word)) &&
    labels.every((label) => EMAIL_LABEL.test(label))
  )
}

/** Whether a value is a CPE 2.3 product name. Colons inside its parts are escaped with a backslash. */
function isCpe(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2000) return false
  const [cpe, version, part = '', ...parts] = value.replaceAll(/\\./g, 'x').split(':')
  const isPart = (text: string): boolean => text === '*' || text === '-' || /^[\w.?*-]+$/.test(text)
  const [language = ''] = parts.splice(5, 1)
  return (
    cpe === 'cpe' &&
    version === '2.3' &&
    /^[aho*-]$/.test(part) &&
    parts.length === 9 &&
    parts.every(isPart) &&
    /^(?:[a-zA-Z]{2,3}(?:-(?:[a-zA-Z]{2}|\d{3}))?|[*-])$/.test(language)
  )
}

const isRegistryValue: Check = (value) =>
  isRecord(value) &&
  [value.name, value.data, value.data_type].some((part) => part !== undefined) &&
  [value.name, value.data].every((part) => part === undefined || isText(part)) &&
  (value.data_type === undefined || isRegistryType(value.data_type))

const isRegistryType = words(`
  REG_NONE REG_SZ REG_EXPAND_SZ REG_BINARY REG_DWORD REG_DWORD_BIG_ENDIAN REG_DWORD_LITTLE_ENDIAN REG_LINK REG_MULTI_SZ
  REG_RESOURCE_LIST REG_FULL_RESOURCE_DESCRIPTION REG_RESOURCE_REQUIREMENTS_LIST REG_QWORD REG_INVALID_TYPE`)

const isMailPart: Check = (value) =>
  isRecord(value) &&
  (value.body === undefined) !== (value.body_raw_ref === undefined) &&
  ['body', 'body_raw_ref', 'content_type', 'content_disposition'].every(
    (name) => value[name] === undefined || isText(value[name]),
  )

/** An alternate data stream of a file; it must have a name. */
const isStream: Check = (value) =>
  isRecord(value) &&
  isText(value.name) &&
  (value.size === undefined || integer(0)(value.size)) &&
  (value.entropy === undefined || typeof value.entropy === 'number') &&
  (value.hashes === undefined || recordOf(isHash)(value.hashes))

const isHeaderName = words(`
  magic_hex major_linker_version minor_linker_version size_of_code size_of_initialized_data size_of_uninitialized_data
  address_of_entry_point base_of_code base_of_data image_base section_alignment file_alignment major_os_version
  minor_os_version major_image_version minor_image_version major_subsystem_version minor_subsystem_version
  win32_version_value_hex size_of_image size_of_headers checksum_hex subsystem_hex dll_characteristics_hex
  size_of_stack_reserve size_of_stack_commit size_of_heap_reserve size_of_heap_commit loader_flags_hex
  number_of_rva_and_sizes hashes`)

function isHeaderMember(name: string, value: unknown): boolean {
  if (!isHeaderName(name)) return false
  if (name === 'hashes') return recordOf(isHash)(value)
  return name.endsWith('_hex') ? matches(/^(?:[a-fA-F0-9]{2})+$/)(value) : integer(0)(value)
}

/** Property kinds used only by cyber observables and their predefined extensions. */
export const CYBER_FITS = {
  certificate: recordOf((name, value) =>
    /^private_key_usage_period_not_(?:before|after)$/.test(name) ? isTime(value) : isText(value),
  ),
  cpe: isCpe,
  email: isEmail,
  encoding: matches(/^[a-zA-Z0-9/.+_:-]{2,250}$/),
  encryption: words('AES-256-GCM ChaCha20-Poly1305 mime-type-indicated'),
  family: words('AF_UNSPEC AF_INET AF_IPX AF_APPLETALK AF_NETBIOS AF_INET6 AF_IRDA AF_BTH'),
  fields: dictionaryOf((value) => isText(value) || (Array.isArray(value) && value.length > 1 && value.every(isText))),
  header: recordOf(isHeaderMember),
  headers: dictionaryOf(listOf(isText)),
  integrity: words('low medium high system'),
  ipv4: addressOf(isIPv4, 32),
  // The schemas accept neither a zone index nor an embedded IPv4 address.
  ipv6: addressOf((text) => isIPv6(text) && !/[.%]/.test(text), 128),
  languages: listOf(matches(/^[a-z]{2,3}(?:-[A-Z]{2})?$/)),
  mac: matches(/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/),
  mime: matches(/^(?:application|audio|font|image|message|model|multipart|text|video)\/[a-zA-Z0-9.+_-]+/),
  options: recordOf(
    (name, value) => /^(?:SO|ICMP|ICMP6|IP|IPV6|MCAST|TCP|IRLMP)(?:_[A-Z]+)+$/.test(name) && integer()(value),
  ),
  parts: listOf(isMailPart),
  'registry-key': (value: unknown) =>
    isText(value) && !/^HKLM|HKCC|HKCR|HKCU|HKU|hklm|hkcc|hkcr|hkcu|hku/.test(String(value)),
  'registry-values': listOf(isRegistryValue),
  second: (value: unknown) => isTime(value) && !String(value).includes('.'),
  service: words(`
    SERVICE_KERNEL_DRIVER SERVICE_FILE_SYSTEM_DRIVER SERVICE_WIN32_OWN_PROCESS SERVICE_WIN32_SHARE_PROCESS`),
  socket: words('SOCK_STREAM SOCK_DGRAM SOCK_RAW SOCK_RDM SOCK_SEQPACKET'),
  start: words(`
    SERVICE_AUTO_START SERVICE_BOOT_START SERVICE_DEMAND_START SERVICE_DISABLED SERVICE_SYSTEM_ALERT`),
  startup: recordOf((name, value) =>
    /^(?:lpDesktop|lpTitle|dwFillAttribute|dwFlags|wShowWindow|hStdInput|hStdOutput|hStdError)$/.test(name)
      ? isText(value)
      : /^(?:cb|dwX|dwY|dwXSize|dwYSize|dwXCountChars|dwYCountChars)$/.test(name) && integer()(value),
  ),
  status: words(`
    SERVICE_CONTINUE_PENDING SERVICE_PAUSE_PENDING SERVICE_PAUSED SERVICE_RUNNING SERVICE_START_PENDING
    SERVICE_STOP_PENDING SERVICE_STOPPED`),
  streams: listOf(isStream),
  tags: recordOf((name, value) => /^[A-Z][a-zA-Z0-9_-]+$/.test(name) && (isText(value) || integer()(value))),
} satisfies Readonly<Record<string, Check>>
