import { parse, v5 } from 'uuid'
import { isRecord } from '../../domain/record.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Fields } from './stix-object.ts'

/** The namespace that STIX 2.1 gives to the ids of cyber observables. */
const NAMESPACE = parse('00abedb4-aa42-466c-9c01-fed23315a9b7')

/** The properties that tell one object of a type from another, as the specification lists them. */
const CONTRIBUTING: Readonly<Record<string, readonly string[]>> = {
  artifact: ['hashes', 'payload_bin'],
  'autonomous-system': ['number'],
  directory: ['path'],
  'domain-name': ['value'],
  'email-addr': ['value'],
  'email-message': ['from_ref', 'subject', 'body'],
  file: ['hashes', 'name', 'extensions', 'parent_directory_ref'],
  'ipv4-addr': ['value'],
  'ipv6-addr': ['value'],
  'mac-addr': ['value'],
  mutex: ['name'],
  'network-traffic': ['start', 'end', 'src_ref', 'dst_ref', 'src_port', 'dst_port', 'protocols', 'extensions'],
  software: ['name', 'cpe', 'swid', 'vendor', 'version'],
  url: ['value'],
  'user-account': ['account_type', 'user_id', 'account_login'],
  'windows-registry-key': ['key', 'values'],
  'x-corvus-observable': ['observable_type', 'value'],
  'x509-certificate': ['hashes', 'serial_number'],
}

/** Of several hashes only one tells: the first of these that is there. */
const HASHES = ['MD5', 'SHA-1', 'SHA-256', 'SHA-512']

/** The id of a cyber observable by what it says; an object that says nothing that tells it from others gets one by all it says. */
export function observableId(object: Fields & { readonly type: string }): string {
  const names = CONTRIBUTING[object.type] ?? []
  const telling = names.flatMap((name) => (object[name] === undefined ? [] : [[name, tellingPart(name, object[name])]]))
  const { id: _, ...whole } = object
  return `${object.type}--${v5(canonicalJson(telling.length > 0 ? Object.fromEntries(telling) : whole), NAMESPACE)}`
}

function tellingPart(name: string, value: unknown): unknown {
  if (name !== 'hashes' || !isRecord(value)) return value
  const chosen = HASHES.find((hash) => value[hash] !== undefined) ?? Object.keys(value).sort()[0]
  return chosen === undefined ? value : { [chosen]: value[chosen] }
}
