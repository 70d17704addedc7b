/** Display names of the entity types, by API name. */
export const ENTITY_TYPES: Readonly<Record<string, string>> = {
  'attack-pattern': 'Attack pattern',
  campaign: 'Campaign',
  'course-of-action': 'Course of action',
  'custom-entity': 'Custom entity',
  'exploit-target': 'Exploit target',
  identity: 'Identity',
  incident: 'Incident',
  indicator: 'Indicator',
  infrastructure: 'Infrastructure',
  'intrusion-set': 'Intrusion set',
  location: 'Location',
  malware: 'Malware',
  'malware-analysis': 'Malware analysis',
  note: 'Note',
  report: 'Report',
  'threat-actor': 'Threat actor',
  tool: 'Tool',
  ttp: 'TTP',
  'vendor-sighting': 'Sighting',
}

/** The display name of an entity type, including custom types. */
export const entityTypeName = (type: string): string =>
  ENTITY_TYPES[type] ?? type.charAt(0).toUpperCase() + type.slice(1).replaceAll(/[-_]/g, ' ')
