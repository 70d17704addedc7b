import { domainToASCII } from 'node:url'
import { addressRules } from './addresses.ts'
import { hostOf } from './names.ts'
import { wholeNumber } from './rule.ts'
import { hasControl } from './text.ts'

/** The schemes whose URIs every browser reads in one way, with the port that goes without saying. */
const WEB_PORTS: Readonly<Record<string, string>> = { ftp: '21', http: '80', https: '443', ws: '80', wss: '443' }

/** The schemes that are followed by a bare number. After any other, a number is the port of a host. */
const NUMBERED = ['callto', 'fax', 'geo', 'sip', 'sips', 'skype', 'sms', 'smsto', 'tel', 'viber', 'whatsapp']

/** The one spelling of a URI: scheme and host in lower case, no default port; path, query and fragment to the byte. */
export function uriOf(text: string): string | undefined {
  const [, given = '', rest = ''] = /^([a-z][a-z\d+.-]{1,31}):(.+)$/is.exec(text) ?? []
  const scheme = given.toLowerCase()
  if (scheme === '' || hasControl(rest)) return undefined
  // A URI has no spaces; left as they are, they would cut it in every list and log.
  const whole = rest.replaceAll(' ', '%20')
  if (!whole.startsWith('//')) return opaqueOf(scheme, whole)
  const isWeb = Object.hasOwn(WEB_PORTS, scheme)
  // Browsers take a backslash for a slash in the schemes of the web, and a name before it for the host.
  const length = whole.slice(2).search(isWeb ? /[/?#\\]/ : /[/?#]/)
  const end = length < 0 ? whole.length : length + 2
  const authority = authorityOf(scheme, whole.slice(2, end))
  // Other schemes have authorities of their own, such as lists of hosts.
  const kept = isWeb ? undefined : whole.slice(2, end)
  return authority === undefined && kept === undefined
    ? undefined
    : `${scheme}://${authority ?? kept}${whole.slice(end)}`
}

function opaqueOf(scheme: string, rest: string): string | undefined {
  const isHostAndPort = scheme.includes('.') || (/^\d{1,5}(?:[/?#]|$)/.test(rest) && !NUMBERED.includes(scheme))
  return Object.hasOwn(WEB_PORTS, scheme) || isHostAndPort ? undefined : `${scheme}:${rest}`
}

function authorityOf(scheme: string, authority: string): string | undefined {
  const at = authority.lastIndexOf('@') + 1
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority.slice(at)) ?? []
  const readName = Object.hasOwn(WEB_PORTS, scheme) ? webHostOf : hostOf
  const host = name.startsWith('[') ? bracketed(name.slice(1, -1)) : readName(name)
  const number = port === '' ? '' : wholeNumber(port, 65_535n)
  if (host === undefined || number === undefined) return undefined
  const isDefault = number === '' || number === WEB_PORTS[scheme]
  return `${authority.slice(0, at)}${host}${isDefault ? '' : `:${number}`}`
}

function bracketed(text: string): string | undefined {
  const address = addressRules.ipv6.normalise(text)
  return address && `[${address}]`
}

/** A host as browsers read it: `%65xample.com` is example.com, and `0x7f.1` is 127.0.0.1. */
function webHostOf(text: string): string | undefined {
  if (text.length > 1_024) return undefined
  const name = decoded(text)
  const isNumber = /^[\da-fx.]+$/i.test(name) && /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(name)
  return hostOf(isNumber ? domainToASCII(name) : name)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
