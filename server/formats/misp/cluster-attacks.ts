import { isTechniqueId } from '../attack-words.ts'
import type { FoundAttack, FoundTactic } from '../finding.ts'
import type { Json } from '../json/record.ts'

/** The galaxies whose clusters are techniques of a framework that we know. Others count in `T…` as well. */
const GALAXIES = /^mitre-(?!atlas|fight)(?:[a-z]+-){0,4}(?:attack-pattern|techniques)$|disarm|amitt/
/** Kill chains and galaxies of DISARM, and of AMITT, which it was called before. */
const DISARM = /disarm|amitt/

/** What a cluster says about attack frameworks: its technique, by its details or at the end of its name, below its tactics. */
export function attacksOfCluster(galaxy: string, title: string, meta: Json = {}): FoundAttack[] {
  if (!GALAXIES.test(galaxy)) return []
  const [, named] = / - (T\d{4}(?:\.\d{3})?)$/.exec(title) ?? []
  const given = [...textsOf(meta.external_id), ...textsOf(meta['Technique ID']).map(withFourDigits)].filter(
    isTechniqueId,
  )
  const ids = given.length > 0 ? given : named === undefined ? [] : [named]
  const tactics = [
    // The galaxies of DISARM call their kill chain `tactics`.
    ...textsOf(meta.kill_chain).flatMap((phase) => tacticIn(phase, DISARM.test(galaxy) ? 'disarm' : undefined)),
    ...textsOf(meta.Tactic).flatMap((names) =>
      names.split(',').map((name) => ({ chain: 'mitre-ics-attack', name: name.trim() })),
    ),
  ]
  return [...new Set(ids)].map((id) => ({ id, ...(tactics.length > 0 && { tactics }) }))
}

/** The first techniques of ATT&CK for ICS had three digits. */
const withFourDigits = (id: string): string => id.replace(/^T(?=\d{3}$)/, 'T0')

/** MISP names kill chains after frameworks, such as `mitre-attack`, or after their platforms, such as `attack-Linux`. */
function tacticIn(phase: string, ownChain: string | undefined): FoundTactic[] {
  const at = phase.lastIndexOf(':')
  const chain = ownChain ?? chainOf(phase.slice(0, Math.max(0, at)).toLowerCase())
  return chain === undefined ? [] : [{ chain, name: phase.slice(at + 1) }]
}

function chainOf(name: string): string | undefined {
  if (DISARM.test(name)) return 'disarm'
  if (!/(?:^|-)attack/.test(name) || name.startsWith('pre-')) return undefined
  if (name.includes('mobile')) return 'mitre-mobile-attack'
  return /(?:^|[-:])ics(?:$|[-:])/.test(name) ? 'mitre-ics-attack' : 'mitre-attack'
}

const textsOf = (value: unknown): string[] => [value].flat().filter((one) => typeof one === 'string')
