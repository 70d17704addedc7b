import type { ObservableDefinition } from './definition.ts'
import { accountId } from './types/account-id.ts'
import { actorId } from './types/actor-id.ts'
import { address } from './types/address.ts'
import { asn } from './types/asn.ts'
import { bankAccount } from './types/bank-account.ts'
import { card } from './types/card.ts'
import { cardOwner } from './types/card-owner.ts'
import { cce } from './types/cce.ts'
import { certificateHash } from './types/certificate-hash.ts'
import { certificateIssuer } from './types/certificate-issuer.ts'
import { certificateSerialNumber } from './types/certificate-serial-number.ts'
import { certificateSubject } from './types/certificate-subject.ts'
import { city } from './types/city.ts'
import { cloudStorageBucket } from './types/cloud-storage-bucket.ts'
import { company } from './types/company.ts'
import { containerClusterName } from './types/container-cluster-name.ts'
import { containerImageName } from './types/container-image-name.ts'
import { containerRegistryAccountName } from './types/container-registry-account-name.ts'
import { country } from './types/country.ts'
import { countryCode } from './types/country-code.ts'
import { cpuArchitecture } from './types/cpu-architecture.ts'
import { cryptoAddress } from './types/crypto-address.ts'
import { cve } from './types/cve.ts'
import { cwe } from './types/cwe.ts'
import { deviceFingerprint } from './types/device-fingerprint.ts'
import { domain } from './types/domain.ts'
import { email } from './types/email.ts'
import { emailSubject } from './types/email-subject.ts'
import { eui64 } from './types/eui-64.ts'
import { file } from './types/file.ts'
import { fileSize } from './types/file-size.ts'
import { forumName } from './types/forum-name.ts'
import { forumRoom } from './types/forum-room.ts'
import { forumThread } from './types/forum-thread.ts'
import { geo } from './types/geo.ts'
import { geoLat } from './types/geo-lat.ts'
import { geoLong } from './types/geo-long.ts'
import { handle } from './types/handle.ts'
import { hashAuthentihash } from './types/hash-authentihash.ts'
import { hashImphash } from './types/hash-imphash.ts'
import { hashMd5 } from './types/hash-md5.ts'
import { hashRichPeHeader } from './types/hash-rich-pe-header.ts'
import { hashSha1 } from './types/hash-sha1.ts'
import { hashSha224 } from './types/hash-sha224.ts'
import { hashSha256 } from './types/hash-sha256.ts'
import { hashSha384 } from './types/hash-sha384.ts'
import { hashSha512 } from './types/hash-sha512.ts'
import { hashSsdeep } from './types/hash-ssdeep.ts'
import { hashVhash } from './types/hash-vhash.ts'
import { host } from './types/host.ts'
import { industry } from './types/industry.ts'
import { inetnum } from './types/inetnum.ts'
import { ipv4 } from './types/ipv4.ts'
import { ipv4Cidr } from './types/ipv4-cidr.ts'
import { ipv6 } from './types/ipv6.ts'
import { ipv6Cidr } from './types/ipv6-cidr.ts'
import { ja3Full } from './types/ja3-full.ts'
import { ja3Hash } from './types/ja3-hash.ts'
import { ja3sFull } from './types/ja3s-full.ts'
import { ja3sHash } from './types/ja3s-hash.ts'
import { jarm } from './types/jarm.ts'
import { mac48 } from './types/mac-48.ts'
import { malware } from './types/malware.ts'
import { malwareKey } from './types/malware-key.ts'
import { mutex } from './types/mutex.ts'
import { name } from './types/name.ts'
import { nationality } from './types/nationality.ts'
import { netname } from './types/netname.ts'
import { organization } from './types/organization.ts'
import { person } from './types/person.ts'
import { port } from './types/port.ts'
import { postcode } from './types/postcode.ts'
import { process } from './types/process.ts'
import { processName } from './types/process-name.ts'
import { product } from './types/product.ts'
import { region } from './types/region.ts'
import { registrar } from './types/registrar.ts'
import { rule } from './types/rule.ts'
import { snort } from './types/snort.ts'
import { sshPublicKey } from './types/ssh-public-key.ts'
import { street } from './types/street.ts'
import { telephone } from './types/telephone.ts'
import { uri } from './types/uri.ts'
import { uriHashSha256 } from './types/uri-hash-sha256.ts'
import { userAccount } from './types/user-account.ts'
import { userAgent } from './types/user-agent.ts'
import { vendorPortalUri } from './types/vendor-portal-uri.ts'
import { winregistry } from './types/winregistry.ts'
import { yara } from './types/yara.ts'

/** Every type that an observable can have, in the order of their names. */
const LIST = [
  accountId,
  actorId,
  address,
  asn,
  bankAccount,
  card,
  cardOwner,
  cce,
  certificateHash,
  certificateIssuer,
  certificateSerialNumber,
  certificateSubject,
  city,
  cloudStorageBucket,
  company,
  containerClusterName,
  containerImageName,
  containerRegistryAccountName,
  country,
  countryCode,
  cpuArchitecture,
  cryptoAddress,
  cve,
  cwe,
  deviceFingerprint,
  domain,
  email,
  emailSubject,
  eui64,
  file,
  fileSize,
  forumName,
  forumRoom,
  forumThread,
  geo,
  geoLat,
  geoLong,
  handle,
  hashAuthentihash,
  hashImphash,
  hashMd5,
  hashRichPeHeader,
  hashSha1,
  hashSha224,
  hashSha256,
  hashSha384,
  hashSha512,
  hashSsdeep,
  hashVhash,
  host,
  industry,
  inetnum,
  ipv4,
  ipv4Cidr,
  ipv6,
  ipv6Cidr,
  ja3Full,
  ja3Hash,
  ja3sFull,
  ja3sHash,
  jarm,
  mac48,
  malware,
  malwareKey,
  mutex,
  name,
  nationality,
  netname,
  organization,
  person,
  port,
  postcode,
  process,
  processName,
  product,
  region,
  registrar,
  rule,
  snort,
  sshPublicKey,
  street,
  telephone,
  uri,
  uriHashSha256,
  userAccount,
  userAgent,
  vendorPortalUri,
  winregistry,
  yara,
] as const satisfies readonly ObservableDefinition[]

export type ObservableType = (typeof LIST)[number]['type']

export const OBSERVABLE_TYPES: readonly ObservableType[] = LIST.map(({ type }) => type)

const DEFINITIONS: ReadonlyMap<string, ObservableDefinition> = new Map(
  LIST.map((definition): [string, ObservableDefinition] => [definition.type, definition]),
)

/** The definition of a type. */
export function definitionOf(type: ObservableType): ObservableDefinition {
  const definition = DEFINITIONS.get(type)
  if (!definition) throw new Error(`There is no type ${type} of observables.`)
  return definition
}

/** Other names that are accepted on input, each with its type. */
export const OBSERVABLE_TYPE_ALIASES: Readonly<Record<string, ObservableType>> = Object.fromEntries(
  OBSERVABLE_TYPES.flatMap((type) => (definitionOf(type).aliases ?? []).map((alias) => [alias, type])),
)

/** The type that a name or an alias stands for, or undefined when there is none. */
export const observableTypeOf = (name: string): ObservableType | undefined => BY_NAME.get(name)

const BY_NAME: ReadonlyMap<string, ObservableType> = new Map([
  ...OBSERVABLE_TYPES.map((type) => [type, type] as const),
  ...Object.entries(OBSERVABLE_TYPE_ALIASES),
])

/** The types whose values are digests of a file. */
export const HASH_TYPES: readonly ObservableType[] = OBSERVABLE_TYPES.filter((type) => definitionOf(type).isFileHash)
