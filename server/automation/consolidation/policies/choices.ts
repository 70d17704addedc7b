/** The types of entities that can be consolidated. */
export const UNIFIED_TYPES = [
  'identity',
  'infrastructure',
  'indicator',
  'intrusion-set',
  'location',
  'tool',
  'threat-actor',
  'exploit-target',
  'malware',
] as const

export const HALF_LIFE_CHOICES = ['highest', 'lowest', 'latest', 'preferred_source'] as const

export const TLP_CHOICES = ['highest', 'lowest', 'preferred_source'] as const
