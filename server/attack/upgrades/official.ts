import type { Matrix } from '../frameworks/framework.ts'

const ATTACK = 'https://raw.githubusercontent.com/mitre-attack/attack-stix-data/master'

/** Where the publishers offer the newest version. Nothing is downloaded unless a user asks for it. */
export const OFFICIAL: Readonly<Record<Matrix, string>> = {
  'enterprise-attack': `${ATTACK}/enterprise-attack/enterprise-attack.json`,
  'mobile-attack': `${ATTACK}/mobile-attack/mobile-attack.json`,
  'ics-attack': `${ATTACK}/ics-attack/ics-attack.json`,
  DISARM:
    'https://raw.githubusercontent.com/DISARMFoundation/DISARMframeworks/main/generated_files/DISARM_STIX/DISARM.json',
}
