import type { Kind } from './kinds.ts'

/** The properties of an object type: all of them, the required ones, and those of which at least one is required. */
export interface Form {
  readonly kinds: Readonly<Record<string, Kind>>
  readonly all?: readonly string[]
  readonly any?: readonly string[]
}

/** A form in which any one of the properties is sufficient. */
const any = (kinds: Readonly<Record<string, Kind>>): Form => ({ kinds, any: Object.keys(kinds) })

const FILE_TIMES = { ctime: 'time', mtime: 'time', atime: 'time' } as const

const PAYLOADS = 'id artifact'
const HOSTS = 'id domain-name ipv4-addr ipv6-addr mac-addr'

/** Properties that every cyber observable may have. */
export const CYBER_COMMON: Readonly<Record<string, Kind>> = {
  object_marking_refs: 'ids marking-definition',
  granular_markings: 'markings',
  defanged: 'flag',
  extensions: 'extensions',
}

/** The cyber observables of STIX 2.1. */
export const CYBER: Readonly<Record<string, Form>> = {
  artifact: {
    kinds: {
      mime_type: 'mime',
      payload_bin: 'binary',
      url: 'uri',
      hashes: 'hashes',
      encryption_algorithm: 'encryption',
      decryption_key: 'text',
    },
    any: ['payload_bin', 'url'],
  },
  'autonomous-system': { kinds: { number: 'integer', name: 'text', rir: 'text' }, all: ['number'] },
  directory: {
    kinds: { path: 'text', path_enc: 'encoding', ...FILE_TIMES, contains_refs: 'ids directory file' },
    all: ['path'],
  },
  'domain-name': { kinds: { value: 'text', resolves_to_refs: 'ids domain-name ipv4-addr ipv6-addr' }, all: ['value'] },
  'email-addr': { kinds: { value: 'email', display_name: 'text', belongs_to_ref: 'id user-account' }, all: ['value'] },
  'email-message': {
    kinds: {
      is_multipart: 'flag',
      date: 'time',
      content_type: 'text',
      from_ref: 'id email-addr',
      sender_ref: 'id email-addr',
      to_refs: 'ids email-addr',
      cc_refs: 'ids email-addr',
      bcc_refs: 'ids email-addr',
      message_id: 'text',
      subject: 'text',
      received_lines: 'texts',
      additional_header_fields: 'fields',
      body: 'text',
      body_multipart: 'parts',
      raw_email_ref: PAYLOADS,
    },
    all: ['is_multipart'],
  },
  file: {
    kinds: {
      hashes: 'hashes',
      size: 'natural',
      name: 'text',
      name_enc: 'encoding',
      magic_number_hex: 'hex',
      mime_type: 'text',
      ...FILE_TIMES,
      parent_directory_ref: 'id directory',
      contains_refs: 'ids',
      content_ref: PAYLOADS,
    },
    any: ['hashes', 'name'],
  },
  'ipv4-addr': {
    kinds: { value: 'ipv4', resolves_to_refs: 'ids mac-addr', belongs_to_refs: 'ids autonomous-system' },
    all: ['value'],
  },
  'ipv6-addr': {
    kinds: { value: 'ipv6', resolves_to_refs: 'ids mac-addr', belongs_to_refs: 'ids autonomous-system' },
    all: ['value'],
  },
  'mac-addr': { kinds: { value: 'mac' }, all: ['value'] },
  mutex: { kinds: { name: 'text' }, all: ['name'] },
  'network-traffic': {
    kinds: {
      start: 'time',
      end: 'time',
      is_active: 'flag',
      src_ref: HOSTS,
      dst_ref: HOSTS,
      src_port: 'port',
      dst_port: 'port',
      protocols: 'texts',
      src_byte_count: 'natural',
      dst_byte_count: 'natural',
      src_packets: 'natural',
      dst_packets: 'natural',
      ipfix: 'values',
      src_payload_ref: PAYLOADS,
      dst_payload_ref: PAYLOADS,
      encapsulates_refs: 'ids network-traffic',
      encapsulated_by_ref: 'id network-traffic',
    },
    all: ['protocols'],
    any: ['src_ref', 'dst_ref'],
  },
  process: {
    kinds: {
      is_hidden: 'flag',
      pid: 'integer',
      created_time: 'time',
      cwd: 'text',
      command_line: 'text',
      environment_variables: 'dictionary',
      opened_connection_refs: 'ids network-traffic',
      creator_user_ref: 'id user-account',
      image_ref: 'id file',
      parent_ref: 'id process',
      child_refs: 'ids process',
    },
    any: [
      'is_hidden',
      'pid',
      'cwd',
      'command_line',
      'environment_variables',
      'opened_connection_refs',
      'creator_user_ref',
      'image_ref',
      'parent_ref',
      'child_refs',
      'extensions',
    ],
  },
  software: {
    kinds: { name: 'text', cpe: 'cpe', swid: 'text', languages: 'languages', vendor: 'text', version: 'text' },
    all: ['name'],
  },
  url: { kinds: { value: 'uri' }, all: ['value'] },
  'user-account': any({
    user_id: 'text',
    credential: 'text',
    account_login: 'text',
    account_type: 'text',
    display_name: 'text',
    is_service_account: 'flag',
    is_privileged: 'flag',
    can_escalate_privs: 'flag',
    is_disabled: 'flag',
    account_created: 'time',
    account_expires: 'time',
    credential_last_changed: 'time',
    account_first_login: 'time',
    account_last_login: 'time',
    extensions: 'extensions',
  }),
  'windows-registry-key': {
    kinds: {
      key: 'registry-key',
      values: 'registry-values',
      modified_time: 'time',
      creator_user_ref: 'id user-account',
      number_of_subkeys: 'natural',
    },
    any: ['key', 'values', 'creator_user_ref', 'number_of_subkeys'],
  },
  'x509-certificate': any({
    is_self_signed: 'flag',
    hashes: 'hashes',
    version: 'text',
    serial_number: 'text',
    signature_algorithm: 'text',
    issuer: 'text',
    validity_not_before: 'time',
    validity_not_after: 'time',
    subject: 'text',
    subject_public_key_algorithm: 'text',
    subject_public_key_modulus: 'text',
    subject_public_key_exponent: 'integer',
    x509_v3_extensions: 'certificate',
  }),
}

/** The STIX 2.1 objects that describe other objects. */
export const SUPPORTING: Readonly<Record<string, Form>> = {
  'extension-definition': {
    kinds: {
      name: 'text',
      description: 'text',
      schema: 'text',
      version: 'text',
      extension_types: 'texts',
      extension_properties: 'texts',
    },
    all: ['name', 'schema', 'version', 'extension_types'],
  },
  'language-content': {
    kinds: { object_ref: 'id !bundle !language-content', object_modified: 'time', contents: 'dictionary' },
    all: ['object_ref', 'contents'],
  },
  'marking-definition': { kinds: { created: 'time', name: 'text', definition_type: 'text', definition: 'any' } },
}
