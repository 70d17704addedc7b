import { bare, readValue, type Value } from './cell.ts'
import { valuesOf } from './values.ts'

const UNROUTED = String.raw`(?:0\.0\.0\.0|127\.0\.0\.1|255\.255\.255\.255|::1?|fe80::1%lo0)`

/** Lines in the syntax of filters and servers, and the position of the name in them. */
const FORMS: readonly RegExp[] = [
  // Hosts files, in which a line may contain several names.
  new RegExp(`^${UNROUTED}[ \\t]+(\\S.{0,16000})$`, 'i'),
  // Browser filters, with options after a dollar sign.
  /^\|{1,2}(\S{1,2000}?)\^?(?:\$[\w,=~|.-]{1,200})?$/,
  // dnsmasq, unbound, BIND.
  /^(?:address|server|local|ipset|nftset)=\/([^\s/]{1,254})\/\S{0,200}$/,
  /^local-(?:zone|data):[ \t]+"([^\s"]{1,254}?)\.?(?: [^"]{0,200})?"(?:[ \t]+\w{1,40})?$/,
  /^zone "([^\s"]{1,254})" .{0,200}$/,
  /^(\S{1,254})[ \t]+(?:\d{1,9}[ \t]+)?(?:IN[ \t]+)?CNAME[ \t]+\S{1,254}$/,
  // Firewalls.
  /^(?:add \S{1,64}|deny(?: from)?|block|drop|route add|ipset add \S{1,64}|set_real_ip_from) (\S{1,254}?);?$/i,
]

/** Names at the start of every hosts file. */
const OWN_NAMES = /^(?:localhost|localhost\.localdomain|local|broadcasthost|ip6-\w{1,20}|0\.0\.0\.0)$/

/** Returns the observables of a line: undefined if it has none of these forms, and an empty list if it names nothing malicious. */
export function lineValues(line: string): readonly Value[] | undefined {
  const text = withoutRemark(withoutBullet(line))
  if (/^@@/.test(text)) return undefined
  for (const form of FORMS) {
    const names = form.exec(text)?.[1]?.split(/[ \t]+/)
    if (names === undefined) continue
    const values = names.filter((name) => !OWN_NAMES.test(name)).map(readValue)
    return values.every((value) => value !== undefined && value.type !== 'file') ? (values as Value[]) : undefined
  }
  const values = valuesOf(text)
  return values.length > 0 ? values : undefined
}

/** Returns the remark after a value, as people write it in lists. */
export function remarkOf(line: string): string {
  const text = withoutBullet(line)
  return text.slice(withoutRemark(text).length).replace(/^[\s#;/]{1,10}/, '')
}

const withoutBullet = (line: string): string =>
  line.trim().replace(/^(?:[-*+\u2022\u00b7\u25cf\u2013]|\(?\d{1,4}[.)])[ \t]{1,8}(?=\S)/, '')

function withoutRemark(text: string): string {
  const at = text.search(/[ \t](?:#|;|\/\/)/)
  return bare(at < 0 ? text : text.slice(0, at))
}
