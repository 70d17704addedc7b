/** Node colours by type, each distinguishable from both backgrounds and dark enough for white icons. */
const ENTITIES: Readonly<Record<string, string>> = {
  'attack-pattern': '#a8572a',
  campaign: '#b3541e',
  'course-of-action': '#2f855a',
  'custom-entity': '#64748b',
  'exploit-target': '#b7791f',
  identity: '#4a6fa5',
  incident: '#c2410c',
  indicator: '#3576c4',
  infrastructure: '#0e7490',
  'intrusion-set': '#9d3fa8',
  location: '#4d7c0f',
  malware: '#c53030',
  'malware-analysis': '#b0417a',
  note: '#71717a',
  report: '#57709a',
  'threat-actor': '#7c4dbd',
  tool: '#a16207',
  ttp: '#8a5a3b',
  'vendor-sighting': '#1f8a8a',
}

const OTHER_ENTITY = '#64748b'
const NETWORK = '#2c8c84'
const HASH = '#7a7f9a'
const OTHER_OBSERVABLE = '#7d8590'

const NETWORK_TYPES = /^(domain|host|uri|ip|inetnum|asn|email|netname|port|mac|eui)/
const HASH_TYPES = /^(hash|file|ja3|jarm|certificate|mutex|process|winregistry)/

/** The colour of a type such as `entity:malware`. */
export function colourOf(type: string): string {
  const name = type.slice(type.indexOf(':') + 1)
  if (type.startsWith('entity:')) return ENTITIES[name] ?? OTHER_ENTITY
  if (NETWORK_TYPES.test(name)) return NETWORK
  return HASH_TYPES.test(name) ? HASH : OTHER_OBSERVABLE
}

/** The colours of everything but nodes, per theme. */
export interface Ground {
  readonly ground: string
  readonly text: string
  readonly box: string
  readonly edge: string
  readonly faint: string
  readonly marked: string
}

export const GROUNDS: Readonly<Record<'light' | 'dark', Ground>> = {
  light: { ground: '#ffffff', text: '#1a2029', box: '#ffffff', edge: '#aab4c0', faint: '#e6eaee', marked: '#1f5fa5' },
  dark: { ground: '#141a21', text: '#d6dce4', box: '#272f3a', edge: '#4b5766', faint: '#222a33', marked: '#82b0de' },
}
