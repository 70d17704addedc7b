import { parse, v5 } from 'uuid'
import { isRecord } from '../../domain/record.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Fields } from './stix-object.ts'

/** The namespace that STIX 2.1 defines for the ids of cyber observables. */
const NAMESPACE = parse('00abedb4-aa42-466c-9c01-fed23315a9b7')

/** The id contributing properties of each type, as listed in the specification. */
const CONTRIBUTING_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
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

/** Only one hash contributes to the id: the first of these that is present. */
const HASHES = ['MD5', 'SHA-1', 'SHA-256', 'SHA-512']

/** Computes the deterministic id of a cyber observable. Without any id contributing property, all properties contribute. */
export function observableId(object: Fields & { readonly type: string }): string {
  const names = CONTRIBUTING_PROPERTIES[object.type] ?? []
  const contributing = names.flatMap((name) =>
    object[name] === undefined ? [] : [[name, contributingValue(name, object[name])]],
  )
  const { id: _, ...whole } = object
  return `${object.type}--${v5(canonicalJson(contributing.length > 0 ? Object.fromEntries(contributing) : whole), NAMESPACE)}`
}

function contributingValue(name: string, value: unknown): unknown {
  if (name !== 'hashes' || !isRecord(value)) return value
  const chosen = HASHES.find((hash) => value[hash] !== undefined) ?? Object.keys(value).sort()[0]
  return chosen === undefined ? value : { [chosen]: value[chosen] }
}
