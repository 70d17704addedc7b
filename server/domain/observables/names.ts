import { domainToASCII } from 'node:url'
import { anyAddressOf } from './addresses.ts'

/** Matches names of hosts that are in their one spelling for certain: most are, and they come by the million. */
export const NAME = String.raw`(?:[a-z\d_-]{1,63}\.)+[a-z]{2,63}`

/** The one spelling of a host's name or address: lower case, Punycode, no dot at the end. */
export function hostOf(text: string): string | undefined {
  const address = anyAddressOf(text)
  if (address !== undefined) return address
  const labels = labelsOf(text)
  // What ends in a number is an address to every browser, and never the name of a machine.
  return labels && !/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '') ? labels.join('.') : undefined
}

/** The labels of a name. Underscores and outer hyphens stay: no registrar sells them, but zones are full of them. */
export function labelsOf(text: string): string[] | undefined {
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
