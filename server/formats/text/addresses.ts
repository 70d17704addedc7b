import { anyAddressOf } from '../../domain/observables/addresses.ts'
import { FREE, note, PATH, type Scan, spanIn, USED, use, usedAt } from './scan.ts'

const IPV4 = /(?<![\dA-Za-z])(?<![\dA-Za-z]\.)\d{1,3}(?:\.\d{1,3}){3}(?![\dA-Za-z])(?!\.[\da-z])/g

/** A run of hexadecimal digits, colons and dots. The observable type decides which part of it is an address. */
const IPV6 = /(?<![\dA-Za-z_:.])[\dA-Fa-f:]{1,4}:[\dA-Fa-f:.]{1,41}(?![\dA-Za-z_:])/g

const AFTER_PREFIX = /(?<=ipv6:)[\dA-Fa-f:]{1,4}:[\dA-Fa-f:.]{1,41}(?![\dA-Za-z_:])/gi

const MAC =
  /(?<![\dA-Za-z:-])[\dA-Fa-f]{2}([:-])(?:[\dA-Fa-f]{2}\1){4}[\dA-Fa-f]{2}(?:\1[\dA-Fa-f]{2}\1[\dA-Fa-f]{2})?(?![\dA-Za-z:-])/g
const DOTTED_MAC = /(?<![\dA-Za-z.])[\dA-Fa-f]{4}\.[\dA-Fa-f]{4}\.[\dA-Fa-f]{4}(?![\dA-Za-z.])/g

/** Words that rule out an address when they precede four numbers with dots, such as a version. */
const NO_ADDRESS = new RegExp(
  '(?:\\b(?:versions?|ver|v|release|rev|revision|build|firmware|kernel|oid|section|sections|sec|chapter' +
    '|clause|paragraph|para|appendix|figure|fig|requirement)\\.?|\u00a7)[\\s:=#(]{0,3}(?:v\\.?)?$',
  'i',
)

/** Text between two items of the same kind. */
const AND = /^ {0,2}(?:,|;|\/|&|-|\u2013|and|or|to|through|until|before) {0,2}(?:and|or)? {0,2}$/i

/** Finds IP addresses, networks and MAC addresses. */
export function findAddresses(scan: Scan): void {
  findIpv6(scan, IPV6)
  findIpv6(scan, AFTER_PREFIX)
  findIpv4(scan)
  for (const pattern of [MAC, DOTTED_MAC]) findCards(scan, pattern)
}

function findIpv4(scan: Scan): void {
  const { text } = scan.view
  let notAddress = -1
  for (const { 0: address, index } of text.matchAll(IPV4)) {
    const end = index + address.length
    const span = spanIn(scan, index, end)
    if (usedAt(scan, span.start) !== FREE) continue
    const before = text.slice(Math.max(0, index - 30), index)
    const isOfList = notAddress >= 0 && index - notAddress < 20 && AND.test(text.slice(notAddress, index))
    const isPart = NO_ADDRESS.test(before) || /[A-Za-z)]\/$/.test(before) || isOfList
    const isDefanged = scan.view.isEdited(index, end)
    if (isNoMachine(address) && !isDefanged) continue
    if (isPart && !isDefanged) notAddress = end
    else takeAddress(scan, 'ipv4', address, index)
  }
}

/** Whether an address belongs to no machine: the unspecified address and netmasks. */
function isNoMachine(address: string): boolean {
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
  return /^0{32}$|^1{8,32}0{0,24}$/.test(bits)
}

function findIpv6(scan: Scan, pattern: RegExp): void {
  for (const { 0: run, index } of scan.view.text.matchAll(pattern)) {
    const address = run.replace(/(?<!\.)\.+$/, '').replace(/(?<!:):$/, '')
    // Two colons with letters only are a qualified name in code.
    if (!/\d/.test(address) || !/:.*:/.test(address)) continue
    if (/^(?:[\dA-Fa-f]{2}:){7}[\dA-Fa-f]{2}$/.test(address)) continue
    if (usedAt(scan, spanIn(scan, index, index + 1).start) === FREE) takeAddress(scan, 'ipv6', address, index)
  }
}

/** Takes an address, or a network if a prefix length follows. */
function takeAddress(scan: Scan, type: 'ipv4' | 'ipv6', address: string, start: number): void {
  const { text } = scan.view
  const end = start + address.length
  const [prefix = ''] = /^\/\d{1,3}(?![\dA-Za-z./_-]*[\dA-Za-z/_-])/.exec(text.slice(end, end + 64)) ?? []
  const span = spanIn(scan, start, end + prefix.length)
  const network = prefix === '' ? undefined : note(scan, `${type}-cidr`, `${address}${prefix}`, span)
  if (network === undefined) {
    if (note(scan, type, address, spanIn(scan, start, end)) === undefined) return
    use(scan, spanIn(scan, start, end))
    coverPathAfter(scan, end)
    return
  }
  use(scan, span)
  // A network is named by its first address. Any other address, and a full-length prefix, means the address itself.
  const isWhole = prefix === (type === 'ipv4' ? '/32' : '/128')
  if (isWhole || !network.startsWith(`${anyAddressOf(address)}/`)) note(scan, type, address, span)
}

function coverPathAfter(scan: Scan, end: number): void {
  const [path = ''] = /^(?::\d{1,5})?\/(?=[A-Za-z~_-])[^\s"'<>`|]*/.exec(scan.view.text.slice(end, end + 2_048)) ?? []
  if (path !== '') use(scan, spanIn(scan, end, end + path.length), PATH)
}

function findCards(scan: Scan, pattern: RegExp): void {
  for (const { 0: card, index } of scan.view.text.matchAll(pattern)) {
    const span = spanIn(scan, index, index + card.length)
    if (usedAt(scan, span.start) !== FREE) continue
    if (note(scan, card.length > 17 ? 'eui-64' : 'mac-48', card, span) !== undefined) use(scan, span, USED)
  }
}
