import { LONGEST, type Rule } from './rule.ts'
import { foldText, isVisible, keepLine, keepWord } from './text.ts'
import type { ObservableType } from './types.ts'

const text = (what: string, maximum = 4_096): Rule => ({
  form: `${what}: text without control characters`,
  maximum,
  normalise: foldText,
})

const line = (what: string, maximum = 4_096): Rule => ({
  form: `${what}: one line without control characters`,
  maximum,
  normalise: keepLine,
})

const word = (what: string, maximum: number): Rule => ({
  form: `${what}: printable characters without white space`,
  maximum,
  normalise: keepWord,
})

const verbatim = (what: string): Rule => ({
  form: what,
  maximum: LONGEST,
  normalise: (whole) => (isVisible(whole) ? whole : undefined),
})

/** Types whose values have no form of their own: names of people, places and things, lines of machines, whole rules. */
export const freeTextRules = {
  'account-id': text('the id of an account'),
  'actor-id': text('the id of an actor'),
  address: text('a postal address'),
  'card-owner': text('the owner of a card'),
  'certificate-issuer': text('the issuer of a certificate', 8_192),
  'certificate-subject': text('the subject of a certificate', 8_192),
  city: text('a city'),
  company: text('a company'),
  'container-cluster-name': text('the name of a container cluster'),
  'container-registry-account-name': text('the account name at a container registry'),
  country: text('the name of a country'),
  'cpu-architecture': text('a processor architecture'),
  'email-subject': text('the subject of an e-mail'),
  'forum-name': text('the name of a forum'),
  'forum-room': text('the room of a forum'),
  'forum-thread': text('the thread of a forum'),
  handle: text('a handle'),
  industry: text('an industry'),
  malware: text('the name of a malware'),
  name: text('a name'),
  nationality: text('a nationality'),
  netname: text('the name of a network'),
  organization: text('an organization'),
  person: text('a person'),
  product: text('a product'),
  region: text('a region'),
  registrar: text('a registrar'),
  street: text('a street'),
  'user-account': text('a user account'),

  'device-fingerprint': line('the fingerprint of a device', 8_192),
  file: line('the name or path of a file', 32_767),
  'malware-key': line('the key of a malware', 8_192),
  mutex: line('the name of a mutex', 32_767),
  'process-name': line('the name of a process', 32_767),
  'user-agent': line('a user agent', 8_192),

  'cloud-storage-bucket': word('the name of a storage bucket', 1_024),
  'container-image-name': word('the name of a container image', 1_024),

  process: verbatim('a process or its command line'),
  rule: verbatim('a detection rule'),
  snort: verbatim('a Snort rule'),
  yara: verbatim('a YARA rule'),
} as const satisfies Partial<Record<ObservableType, Rule>>
