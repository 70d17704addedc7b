import { isRecord } from '../../../domain/record.ts'
import { shortened } from './keys.ts'

/** An entity may list this many names; the rest is not compared. */
export const MAX_NAMES = 200

/** A longer text is not a name, and is compared as it is. */
const MAX_NORMALISED = 1000

const COMBINING = /[\u0300-\u036f]+/g
// A bar separates the two names of a key.
const SPACES = /[\s|]+/gu
const SEPARATORS = /[^\p{L}\p{N}\p{M}+#$@&%*!]+/gu
const CHARACTER = /[\p{L}\p{N}]/u
const DIGIT = /\p{Nd}/u

/**
 * The form in which names are compared: without case, accents, spaces and punctuation, so that "APT 28", "APT-28" and "apt28" are one
 * name. A separator between two digits remains: LockBit 3.0 is not LockBit 30. Symbols that distinguish names, as in Notepad++, remain.
 * Empty if nothing is left.
 */
export function normalisedName(name: string): string {
  if (name.length > MAX_NORMALISED) return shortened(name.trim().toLowerCase())
  const letters = name.normalize('NFKD').replace(COMBINING, '')
  // Upper case first: it unites letters that have two lower-case forms.
  const folded = letters.toUpperCase().toLowerCase()
  const compact = folded.replace(SEPARATORS, (separator: string, at: number) =>
    DIGIT.test(folded.charAt(at - 1)) && DIGIT.test(folded.charAt(at + separator.length)) ? '.' : '',
  )
  return shortened(compact.normalize('NFKC'))
}

/** Types of entities that are often called after a domain, an address or a URL, in which every character counts. */
const TECHNICAL = new Set(['indicator', 'infrastructure'])

/** The form in which the names of entities of a type are compared. */
export const comparedName = (type: string, name: string): string =>
  TECHNICAL.has(type) ? withoutCase(name) : normalisedName(name)

/** A name without case, and with single spaces. */
export const withoutCase = (name: string): string =>
  shortened(name.normalize('NFKC').toLowerCase().replace(SPACES, ' ').trim())

/** MISP appends the ATT&CK id to titles: "APT28 - G0007". Ids that begin with MOB are of a catalogue that no longer exists. */
const CATALOGUE_TITLE = /^(.*\S) - (MOB-)?([A-Z]\d{4})$/s

/** A title without the ATT&CK id at its end, and the id. */
export function splitTitle(title: string): { readonly name: string; readonly attackId: string | undefined } {
  const [, name = title, former, attackId] = CATALOGUE_TITLE.exec(title.trim()) ?? []
  return { name, attackId: former === undefined ? attackId : undefined }
}

/** The normalised title of an entity. It is never empty if the title has any character, so that titles without letters stay different. */
export function normalisedTitle(type: string, title: string): string {
  const { name } = splitTitle(title)
  return comparedName(type, name) || withoutCase(name)
}

/** The fields of an entity's data with other names of the same thing. */
const NAME_FIELDS = ['aliases', 'names', 'x_mitre_aliases', 'x_opencti_aliases']

/** The normalised names of an entity, its title first: those that can be compared, without duplicates. */
export function namesOf(type: string, data: Readonly<Record<string, unknown>>, alias: string | undefined): string[] {
  const title = normalisedTitle(type, String(data.title ?? ''))
  const others = [data.name, alias, ...NAME_FIELDS.flatMap((field) => listed(data[field]))]
  const names = new Set<string>(isTelling(type, title) ? [title] : [])
  for (const other of others) {
    if (typeof other !== 'string') continue
    const name = comparedName(type, splitTitle(other).name)
    if (isTelling(type, name)) names.add(name)
    if (names.size === MAX_NAMES) break
  }
  return [...names]
}

/** The texts of a list, which older forms store as records with a value. */
const listed = (field: unknown): unknown[] =>
  Array.isArray(field) ? field.map((item) => (isRecord(item) ? item.value : item)) : []

/** Software is called "at" and "Go", but not "x". */
const MIN_LENGTH = 2

/** Whether a name says which thing is meant. */
export function isTelling(type: string, name: string): boolean {
  const word = normalisedName(name)
  if (word.length < MIN_LENGTH || !CHARACTER.test(word) || PLACEHOLDERS.has(word)) return false
  return type === 'identity' || type === 'location' || !GENERIC.has(word)
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).map(normalisedName))

/** Stands for a missing name. */
const PLACEHOLDERS =
  words(`unknown unnamed untitled none n/a null nil undefined unspecified unidentified notapplicable notavailable
  notspecified nottobedetermined tbd tba todo other others misc miscellaneous various multiple generic anonymous example test sample
  noname notitle default temp new xx xxx`)

/** Describes a kind of thing rather than one of them. */
const GENERIC =
  words(`actor adware agent android apt attacker attackers backdoor banker bot botnet c&c c&cserver c2 c2s c2server
  commandandcontrol commandandcontrolserver commandcontrol criminal criminals cryptominer cybercriminal cybercriminals ddos domain
  domains downloader dropper email exploit exploitkit file filehash group hacker hackers hacktivist hacktivists hacktool hash
  indicator infostealer infrastructure insider ioc ios ip ipaddress ipv4 ipv6 java javascript keylogger linux loader mac macos
  malicious maliciousdomain maliciousfile maliciousip maliciousurl malware md5 microsoftwindows miner nationstate osx payload
  phishing phishingkit phishingurl powershell proxy python ransomware rat rootkit sha1 sha256 server shell spam spyware stealer
  threatactor tool trojan url urls virus vpn webshell windows wiper worm`)
