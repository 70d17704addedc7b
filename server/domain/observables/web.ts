import { hexadecimal, LONGEST, type Rule } from './rule.ts'
import type { ObservableType } from './types.ts'
import { uriOf } from './uri.ts'

const uri: Rule = {
  form: 'a URI with its scheme such as https://example.com/path',
  maximum: LONGEST,
  normalise: uriOf,
}

/** Places on the web. */
export const webRules = {
  uri,
  'uri-hash-sha256': hexadecimal(64, 'the SHA-256 digest of a URI'),
  'vendor-portal-uri': uri,
} as const satisfies Partial<Record<ObservableType, Rule>>
