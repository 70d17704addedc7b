import { vocabularyRecord } from './vocabulary.ts'

/** The purposes of attacker infrastructure, by category. */
export const ATTACKER_INFRASTRUCTURE_TYPES = [
  'Anonymization',
  'Anonymization - Proxy',
  'Anonymization - TOR Network',
  'Anonymization - VPN',
  'Communications',
  'Communications - Blogs',
  'Communications - Forums',
  'Communications - Internet Relay Chat',
  'Communications - Micro-Blogs',
  'Communications - Mobile Communications',
  'Communications - Social Networks',
  'Communications - User-Generated Content Websites',
  'Domain Registration',
  'Domain Registration - Dynamic DNS Services',
  'Domain Registration - Legitimate Domain Registration Services',
  'Domain Registration - Malicious Domain Registrars',
  'Domain Registration - Top-Level Domain Registrars',
  'Hosting',
  'Hosting - Bulletproof / Rogue Hosting',
  'Hosting - Cloud Hosting',
  'Hosting - Compromised Server',
  'Hosting - Fast Flux Botnet Hosting',
  'Hosting - Legitimate Hosting',
  'Electronic Payment Methods',
] as const

/** The kind of an infrastructure as a record. */
export const attackerInfrastructureType = vocabularyRecord(ATTACKER_INFRASTRUCTURE_TYPES, {}, {})
