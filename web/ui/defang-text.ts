import { defang, refangValue } from '../../server/domain/observables/refang.ts'

/** Addresses in a running text: with a scheme, of mail, of hosts, and names of hosts that nobody takes for a word. */
const ADDRESS = new RegExp(
  [
    String.raw`(?<uri>\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s<>"'\x60]+|\b(?:javascript|vbscript|data|mailto):[^\s<>"'\x60]+)`,
    String.raw`(?<email>[\w.!#$%&'*+/=?^{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+)`,
    String.raw`(?<ipv4>(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d))`,
    String.raw`(?<domain>(?<![\w.@/-])(?:[a-z\d](?:[\w-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,24}|xn--[a-z\d-]{1,59})(?![\w-]))`,
  ].join('|'),
  'gi',
)

/** Endings of files, which look like those of hosts. */
const FILE =
  /\.(?:c|cfg|conf|cpp|cs|csv|dat|dll|doc|docx|exe|gif|go|h|htm|html|ini|jar|java|jpeg|jpg|js|json|jsp|log|md|msi|pdf|php|png|ps1|py|rb|rs|rtf|sh|sql|sys|tmp|ts|txt|vbs|xls|xlsx|xml|yaml|yml|zip)$/i

/** A text in which every address is written so that nothing makes a link of it. */
export const defangText = (text: string): string =>
  text.replace(ADDRESS, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    if (groups.uri !== undefined) return defangedUri(found)
    if (groups.email !== undefined) return defang('email', found)
    if (groups.ipv4 !== undefined) return defang('ipv4', found)
    return FILE.test(found) ? found : defang('domain', found)
  })

/** The address of a link; a relative one has nothing in it that could be called. */
export const defangedUri = (uri: string): string =>
  defang('uri', refangValue('uri', uri)).replace(/^(?<scheme>javascript|vbscript|data|mailto):/i, '$<scheme>[:]')
