import type { ObservableType } from '../../domain/observables/types.ts'

/** What a column contains, judged by its name. */
export type Meaning =
  | 'description'
  | 'tags'
  | 'confidence'
  | 'tlp'
  | 'reference'
  | 'first seen'
  | 'last seen'
  | 'valid until'
  | 'title'
  | 'contact'
  | 'no indicator'

const MEANINGS: readonly (readonly [Meaning, RegExp])[] = [
  ['tlp', /^(?:tlp|tlp colou?r|marking|traffic light protocol)$/],
  ['tags', /^(?:tags?|labels?|keywords?)$/],
  ['confidence', /^(?:confidence|confidence level|certainty)$/],
  ['valid until', /^(?:valid until|valid to|expir(?:es|ation|y)(?: date)?|end(?: date)?)$/],
  [
    'last seen',
    /^(?:last (?:seen|online|updated?|modified|active|report(?:ed)?)(?: utc| date)?|(?:updated?|modified)(?: at| date)?)$/,
  ],
  [
    'first seen',
    /^(?:first (?:seen|submission|submitted|report(?:ed)?)(?: utc| date)?|date(?: ?added| utc| time)?|dateadded|added|created(?: at| date)?|valid from|listing ?date|submission time|timestamp|time|observed|seen|discovered|published)$/,
  ],
  [
    'reference',
    /^(?:(?:.{0,40} )?(?:references?|refs?|links?|permalink|report|blog|article|source(?: ur[li])?|detail ur[li]|details|virustotal|vt)|.{1,40} (?:reference|report|source) ur[li])$/,
  ],
  [
    'description',
    /^(?:descriptions?|desc|notes?|comments?|remarks?|details?|info|information|context|summary|observations?)$/,
  ],
  [
    'no indicator',
    /^(?:.{0,40} )?(?:versions?|ver|build|release|firmware|uuid|guid|event id|id|token|password|serial|size|count|port|asn|country|city)$/,
  ],
  ['contact', /^(?:contact(?: info| information)?|web ?sites?|home ?pages?)$/],
  ['title', /^(?:title|name)$/],
]

/** Returns the meaning of a column name. */
export function meaningOf(name: string): Meaning | undefined {
  const key = keyOf(name)
  return key.length > 60 ? undefined : MEANINGS.find(([, pattern]) => pattern.test(key))?.[0]
}

/** Whether a column has a generic name for values. */
export const isValueName = (name: string): boolean =>
  /^(?:value|indicator|ioc|data|observable)s?(?:[ _]values?)?$/i.test(name.trim())

/** Digests that look like others, and are distinguished only by a name. */
const DIGESTS: readonly (readonly [RegExp, ObservableType])[] = [
  [/imp(?:ort)? ?hash/, 'hash-imphash'],
  [/\bja3s\b/, 'ja3s-hash'],
  [/\bja3\b/, 'ja3-hash'],
  [/rich (?:pe|header)/, 'hash-rich-pe-header'],
  [/authenti ?hash/, 'hash-authentihash'],
  [/\b(?:certificate|cert|ssl|x509|thumbprint)\b/, 'certificate-hash'],
]

/** Returns the digest type for a column name if it differs from what the length suggests. */
export const digestNamed = (name: string): ObservableType | undefined => {
  const key = keyOf(name)
  return key.length > 60 ? undefined : DIGESTS.find(([pattern]) => pattern.test(key))?.[1]
}

const keyOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_./()-]+/g, ' ')
    .trim()
