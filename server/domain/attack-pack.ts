/** The name of the knowledge pack with the groups, software and campaigns of ATT&CK. */
export const ATTACK_PACK = 'MITRE ATT&CK groups, software and campaigns'

/** What installing it needs: it writes the pack, a file and the entities in it. */
export const ATTACK_PACK_PERMISSIONS = [
  'install knowledge-packs',
  'modify knowledge-packs',
  'modify files',
  'modify entities',
]
