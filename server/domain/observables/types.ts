/** The types whose values are digests of a file: nobody looks for a word in them. */
export const HASH_TYPES = [
  'hash-authentihash',
  'hash-imphash',
  'hash-md5',
  'hash-rich-pe-header',
  'hash-sha1',
  'hash-sha224',
  'hash-sha256',
  'hash-sha384',
  'hash-sha512',
  'hash-ssdeep',
  'hash-vhash',
] as const

/** Every type that an observable can have, as the specification spells them. */
export const OBSERVABLE_TYPES = [
  'account-id',
  'actor-id',
  'address',
  'asn',
  'bank-account',
  'card',
  'card-owner',
  'cce',
  'certificate-hash',
  'certificate-issuer',
  'certificate-serial-number',
  'certificate-subject',
  'city',
  'cloud-storage-bucket',
  'company',
  'container-cluster-name',
  'container-image-name',
  'container-registry-account-name',
  'country',
  'country-code',
  'cpu-architecture',
  'crypto-address',
  'cve',
  'cwe',
  'device-fingerprint',
  'domain',
  'email',
  'email-subject',
  'eui-64',
  'file',
  'file-size',
  'forum-name',
  'forum-room',
  'forum-thread',
  'geo',
  'geo-lat',
  'geo-long',
  'handle',
  ...HASH_TYPES,
  'host',
  'industry',
  'inetnum',
  'ipv4',
  'ipv4-cidr',
  'ipv6',
  'ipv6-cidr',
  'ja3-full',
  'ja3-hash',
  'ja3s-full',
  'ja3s-hash',
  'jarm',
  'mac-48',
  'malware',
  'malware-key',
  'mutex',
  'name',
  'nationality',
  'netname',
  'organization',
  'person',
  'port',
  'postcode',
  'process',
  'process-name',
  'product',
  'region',
  'registrar',
  'rule',
  'snort',
  'ssh-public-key',
  'street',
  'telephone',
  'uri',
  'uri-hash-sha256',
  'user-account',
  'user-agent',
  'vendor-portal-uri',
  'winregistry',
  'yara',
] as const

export type ObservableType = (typeof OBSERVABLE_TYPES)[number]

/** Other spellings that are taken on input; answers use the specification's. */
export const OBSERVABLE_TYPE_ALIASES: Readonly<Record<string, ObservableType>> = {
  'fox-it-portal-uri': 'vendor-portal-uri',
}

/** The type that a name or an alias stands for, or undefined when there is none. */
export const observableTypeOf = (name: string): ObservableType | undefined => BY_NAME.get(name)

const BY_NAME: ReadonlyMap<string, ObservableType> = new Map([
  ...OBSERVABLE_TYPES.map((type) => [type, type] as const),
  ...Object.entries(OBSERVABLE_TYPE_ALIASES),
])

/** The types whose values are nothing but hexadecimal digits, file digests and others. */
export const HEXADECIMAL_TYPES = [
  'certificate-hash',
  'hash-authentihash',
  'hash-imphash',
  'hash-md5',
  'hash-rich-pe-header',
  'hash-sha1',
  'hash-sha224',
  'hash-sha256',
  'hash-sha384',
  'hash-sha512',
  'ja3-hash',
  'ja3s-hash',
  'jarm',
  'uri-hash-sha256',
] as const satisfies readonly ObservableType[]

/** The types whose values are written in a harmless way where people read them, as in `hxxp://example[.]com`. */
export const DEFANGED_TYPES = [
  'domain',
  'email',
  'host',
  'inetnum',
  'ipv4',
  'ipv4-cidr',
  'ipv6',
  'ipv6-cidr',
  'uri',
  'vendor-portal-uri',
] as const satisfies readonly ObservableType[]

export type DefangedType = (typeof DEFANGED_TYPES)[number]

/** Whether values of a type are defanged for display and refanged on input. */
export const isDefangedType = (type: ObservableType): type is DefangedType => DEFANGED_TYPES.some((one) => one === type)
