import { domainToASCII } from 'node:url'
import { ipv6Of } from '../addresses.ts'
import type { ObservableDefinition } from '../definition.ts'
import { MAX_VALUE_LENGTH } from '../definition.ts'
import { hostOf, NAME } from '../names.ts'
import { wholeNumber } from '../spelling.ts'
import { stixObject } from '../stix-object.ts'
import { hasControl } from '../text.ts'

export const uri = {
  type: 'uri',
  label: 'URI',
  form: 'a URI with its scheme such as https://example.com/path',
  maximum: MAX_VALUE_LENGTH,
  normalise: uriOf,
  plain: new RegExp(`^https?://${NAME}(?:[/?#][!-~]*)?$`),
  looks: [{ order: 260, test: /^(?:[a-z][a-z\d+.-]{1,31}:\/\/|(?:data|javascript|magnet|mailto|tel|urn):)/i }],
  defanging: 'uri',
  stix: stixObject('url'),
  misp: ['url', 'Network activity'],
  examples: {
    good: [
      ['HTTPS://Example.COM/Path/?Q=A#F', 'https://example.com/Path/?Q=A#F'],
      ['http://example.com', 'http://example.com'],
      ['http://example.com:80/', 'http://example.com/'],
      ['http://example.com:/', 'http://example.com/'],
      ['http://example.com:00443/', 'http://example.com:443/'],
      ['https://example.com:443?x', 'https://example.com?x'],
      ['ftp://User:Pass@Example.com:21/a', 'ftp://User:Pass@example.com/a'],
      ['https://example.org%2F@example.com/x', 'https://example.org%2F@example.com/x'],
      ['http://b\u00fccher.example./\u00fc', 'http://xn--bcher-kva.example/\u00fc'],
      ['http://%65xample.com/%65', 'http://example.com/%65'],
      ['http://0x7f.1/', 'http://127.0.0.1/'],
      ['http://[2001:DB8:0::1]:8080/', 'http://[2001:db8::1]:8080/'],
      ['http://example.com/a b/../%7e//', 'http://example.com/a%20b/../%7e//'],
      ['http://example.com\\@example.org', 'http://example.com\\@example.org'],
      ['http://Example.com\\Path', 'http://example.com\\Path'],
      ['hxxps://example[.]com/index[.]php', 'https://example.com/index.php'],
      ['hXXp[:]//example(dot)com/a(dot)b[.]c', 'http://example.com/a.b[.]c'],
      ['http://example.com/(dot)?a[at]=b', 'http://example.com/(dot)?a[at]=b'],
      ['tcp://Example.com:4444', 'tcp://example.com:4444'],
      ['mongodb://A:1,B:2/db', 'mongodb://A:1,B:2/db'],
      ['file:///C:/Windows/x.exe', 'file:///C:/Windows/x.exe'],
      ['MAILTO:someone@example.com', 'mailto:someone@example.com'],
      ['tel:112', 'tel:112'],
      ['data:text/plain,a[.]b(at)', 'data:text/plain,a[.]b(at)'],
    ],
    bad: [
      'example.com/path',
      'example.com:8080',
      'localhost:8080/x',
      'C:\\Windows\\x.exe',
      'http:',
      'http://',
      'http:///path',
      'http:example.com',
      'http://example..com/',
      'http://exa mple.com/',
      'http://example.com:65536/',
      'http://example.com:x/',
      'http://[::1',
      'http://[fe80::1%25eth0]/',
      'http://256.1.1.1/',
      'http://example.com/a\nb',
      '://example.com',
      `http://example.com/${'x'.repeat(65_536)}`,
      `http://example.com/${' x'.repeat(32_000)}`,
    ],
  },
} as const satisfies ObservableDefinition

/** The schemes whose URIs every browser reads in one way, with the port that goes without saying. */
const WEB_PORTS: Readonly<Record<string, string>> = { ftp: '21', http: '80', https: '443', ws: '80', wss: '443' }

/** The schemes that are followed by a bare number. After any other, a number is the port of a host. */
const NUMBERED = ['callto', 'fax', 'geo', 'sip', 'sips', 'skype', 'sms', 'smsto', 'tel', 'viber', 'whatsapp']

/** The one spelling of a URI: scheme and host in lower case, no default port; path, query and fragment to the byte. */
function uriOf(text: string): string | undefined {
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
  const address = ipv6Of(text)
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
