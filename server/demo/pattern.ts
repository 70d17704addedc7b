import type { ObservableType } from '../domain/observables/types.ts'
import type { Observable } from './observables.ts'

const PROPERTIES: Partial<Record<ObservableType, string>> = {
  domain: 'domain-name:value',
  host: 'domain-name:value',
  ipv4: 'ipv4-addr:value',
  ipv6: 'ipv6-addr:value',
  uri: 'url:value',
  email: 'email-addr:value',
  file: 'file:name',
  mutex: 'mutex:name',
  'user-account': 'user-account:account_login',
  'hash-md5': 'file:hashes.MD5',
  'hash-sha1': "file:hashes.'SHA-1'",
  'hash-sha256': "file:hashes.'SHA-256'",
}

/** The STIX pattern of an observable. */
export function patternOf({ type, value }: Observable): string {
  if (type === 'asn') return `[autonomous-system:number = ${value.slice('AS'.length)}]`
  const text = value.replaceAll(/[\\']/g, (character) => `\\${character}`)
  return `[${PROPERTIES[type] ?? 'x-corvus-observable:value'} = '${text}']`
}
