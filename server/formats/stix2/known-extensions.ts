import type { Form } from './cyber-properties.ts'
import type { Kind } from './kinds.ts'

const one = (kinds: Readonly<Record<string, Kind>>): Form => ({ kinds, any: Object.keys(kinds) })

/** The extensions that STIX 2.1 predefines for cyber observables. */
export const KNOWN_EXTENSIONS: Readonly<Record<string, Form>> = {
  'archive-ext': { kinds: { contains_refs: 'ids directory file', comment: 'text' }, all: ['contains_refs'] },
  'http-request-ext': {
    kinds: {
      request_method: 'text',
      request_value: 'text',
      request_version: 'text',
      request_header: 'headers',
      message_body_length: 'integer',
      message_body_data_ref: 'id artifact',
    },
    all: ['request_method', 'request_value'],
  },
  'icmp-ext': { kinds: { icmp_type_hex: 'hex', icmp_code_hex: 'hex' }, all: ['icmp_type_hex', 'icmp_code_hex'] },
  'ntfs-ext': one({ sid: 'text', alternate_data_streams: 'streams' }),
  'pdf-ext': one({
    version: 'text',
    is_optimized: 'flag',
    document_info_dict: 'strings',
    pdfid0: 'text',
    pdfid1: 'text',
  }),
  'raster-image-ext': one({
    image_height: 'integer',
    image_width: 'integer',
    bits_per_pixel: 'integer',
    exif_tags: 'tags',
  }),
  'socket-ext': {
    kinds: {
      address_family: 'family',
      is_blocking: 'flag',
      is_listening: 'flag',
      options: 'options',
      socket_type: 'socket',
      socket_descriptor: 'natural',
      socket_handle: 'integer',
    },
    all: ['address_family'],
  },
  'tcp-ext': one({ src_flags_hex: 'hex', dst_flags_hex: 'hex' }),
  'unix-account-ext': one({ gid: 'integer', groups: 'texts', home_dir: 'text', shell: 'text' }),
  'windows-pebinary-ext': {
    kinds: {
      pe_type: 'text',
      imphash: 'text',
      machine_hex: 'hex',
      number_of_sections: 'natural',
      time_date_stamp: 'second',
      pointer_to_symbol_table_hex: 'hex',
      number_of_symbols: 'natural',
      size_of_optional_header: 'natural',
      characteristics_hex: 'hex',
      file_header_hashes: 'hashes',
      optional_header: 'header',
      sections: 'streams',
    },
    all: ['pe_type'],
    any: [
      'imphash',
      'machine_hex',
      'number_of_sections',
      'time_date_stamp',
      'pointer_to_symbol_table_hex',
      'number_of_symbols',
      'size_of_optional_header',
      'characteristics_hex',
      'file_header_hashes',
      'optional_header',
      'sections',
    ],
  },
  'windows-process-ext': {
    kinds: {
      aslr_enabled: 'flag',
      dep_enabled: 'flag',
      priority: 'text',
      owner_sid: 'text',
      window_title: 'text',
      startup_info: 'startup',
      integrity_level: 'integrity',
    },
    any: ['aslr_enabled', 'dep_enabled', 'priority', 'owner_sid', 'window_title', 'startup_info'],
  },
  'windows-service-ext': one({
    service_name: 'text',
    descriptions: 'texts',
    display_name: 'text',
    group_name: 'text',
    start_type: 'start',
    service_dll_refs: 'ids file',
    service_type: 'service',
    service_status: 'status',
  }),
}
