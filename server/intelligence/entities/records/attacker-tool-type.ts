import { vocabularyRecord } from './vocabulary.ts'

/** What attackers use tools for. */
export const ATTACKER_TOOL_TYPES = [
  'Malware',
  'Penetration Testing',
  'Port Scanner',
  'Traffic Scanner',
  'Vulnerability Scanner',
  'Application Scanner',
  'Password Cracking',
] as const

/** The kind of a tool as a record. */
export const attackerToolType = vocabularyRecord(ATTACKER_TOOL_TYPES, {}, {})
