import { domainToASCII } from 'node:url'
import { anyAddressOf } from './addresses.ts'
import type { Rule } from './rule.ts'
import type { ObservableType } from './types.ts'

/** Names in the domain name system, and what is addressed through them. */
export const nameRules = {
  domain: {
    form: 'a domain such as example.com, two or more labels and no address',
    maximum: 254,
    normalise: domainOf,
  },
  host: {
    form: 'the name or address of a host such as www.example.com or DESKTOP-1',
    maximum: 254,
    normalise: hostOf,
  },
  email: {
    form: 'an e-mail address such as someone@example.com',
    maximum: 320,
    normalise: mailboxOf,
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

/** The one spelling of a host's name or address: lower case, Punycode, no dot at the end. */
export function hostOf(text: string): string | undefined {
  const address = anyAddressOf(text)
  if (address !== undefined) return address
  const labels = labelsOf(text)
  // What ends in a number is an address to every browser, and never the name of a machine.
  return labels && !/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '') ? labels.join('.') : undefined
}

function domainOf(text: string): string | undefined {
  const labels = labelsOf(text)
  const isTopLevel = /^(?:[a-z]{2,}|xn--[a-z\d-]*[a-z\d])$/.test(labels?.at(-1) ?? '')
  return labels && labels.length > 1 && isTopLevel ? labels.join('.') : undefined
}

/** The labels of a name. Underscores and outer hyphens stay: no registrar sells them, but zones are full of them. */
function labelsOf(text: string): string[] | undefined {
  const name = asciiOf(text)?.replace(/\.$/, '')
  if (name === undefined || name.length > 253) return undefined
  const labels = name.split('.')
  return labels.every((label) => /^[a-z\d_-]{1,63}$/.test(label)) && /[a-z\d]/.test(labels.at(-1) ?? '')
    ? labels
    : undefined
}

function asciiOf(text: string): string | undefined {
  if (text.length > 254) return undefined
  if (/^[a-z\d._-]*$/i.test(text)) return text.toLowerCase()
  // The conversion cuts at a slash and decodes percent signs: nothing of the kind may reach it.
  return /^(?:[a-z\d._-]|[^\p{ASCII}\s])+$/iu.test(text) ? domainToASCII(text) : undefined
}

/** All in lower case: the part before the @ may tell cases apart, but no provider does. */
function mailboxOf(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0)).normalize('NFC').toLowerCase().normalize('NFC')
  const isLocal = /^[\w!#$%&'*+/=?^`{|}~.\p{L}\p{M}\p{N}-]+$/u.test(local) && !/^\.|\.\.|\.$/.test(local)
  if (!isLocal || Buffer.byteLength(local) > 64) return undefined
  const host = hostOf(text.slice(at + 1).replace(/^\[([\d.]+)\]$/, '$1'))
  return host && `${local}@${host}`
}
