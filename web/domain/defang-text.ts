import { defang, refangValue } from './observables.ts'

/** Addresses in running text: URIs, email addresses, IP addresses, and host names that cannot be mistaken for words. */
const ADDRESS = new RegExp(
  [
    String.raw`(?<uri>\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s<>"'\x60]+|\b(?:javascript|vbscript|data|mailto):[^\s<>"'\x60]+)`,
    String.raw`(?<email>[\w.!#$%&'*+/=?^{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+)`,
    String.raw`(?<ipv4>(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d))`,
    String.raw`(?<ipv6>(?<![\w:.])[\da-f]{0,4}(?::[\da-f]{0,4}){2,8}(?![\w:]))`,
    String.raw`(?<domain>(?<![\w.@/-])(?:[a-z\d](?:[\w-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,24}|xn--[a-z\d-]{1,59})(?![\w-]))`,
  ].join('|'),
  'gi',
)

/** File extensions that look like top-level domains. */
const FILE =
  /\.(?:apk|aspx?|bat|bin|bmp|bz2|c|cfg|cmd|conf|cpp|cs|css|csv|dat|dll|doc|docm|docx|elf|eml|exe|gif|go|gz|h|hta|htm|html|ico|img|ini|iso|jar|java|jpeg|jpg|js|json|jsonl|jsp|lnk|log|md|msg|msi|ndjson|odt|pcap|pdf|php|png|pptx?|ps1|py|rar|rb|rs|rtf|scr|sh|sql|svg|sys|tar|tgz|tmp|ts|tsv|txt|vbs|webp|xls|xlsm|xlsx|xml|yaml|yar|yara|yml|zip)$/i

/** Defangs every address in a text, so that no software turns it into a link. */
export const defangText = (text: string): string =>
  text.replace(ADDRESS, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    if (groups.uri !== undefined) return defangedUri(found)
    if (groups.email !== undefined) return defang('email', found)
    if (groups.ipv4 !== undefined) return defang('ipv4', found)
    if (groups.ipv6 !== undefined) return isIpv6(found) ? defang('ipv6', found) : found
    return FILE.test(found) ? found : defang('domain', found)
  })

/** Tells IPv6 addresses from times and MAC addresses: they have eight groups, or omit some with a double colon. */
const isIpv6 = (text: string): boolean => {
  const parts = text.split(':')
  const isShort = text.includes('::') && text.indexOf('::') === text.lastIndexOf('::') && parts.length <= 9
  return /\d/.test(text) && (isShort || (parts.length === 8 && !parts.includes('')))
}

/** Defangs the target of a link; a relative target contains nothing that could be contacted. */
export const defangedUri = (uri: string): string =>
  defang('uri', refangValue('uri', uri)).replace(/^(?<scheme>javascript|vbscript|data|mailto):/i, '$<scheme>[:]')
