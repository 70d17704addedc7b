import { type Json, listOf } from '../json/record.ts'

/** The tactics of the enterprise matrix by their kill chain phase names. */
const TACTICS: ReadonlyMap<string, string> = new Map([
  ['reconnaissance', 'TA0043'],
  ['resource-development', 'TA0042'],
  ['initial-access', 'TA0001'],
  ['execution', 'TA0002'],
  ['persistence', 'TA0003'],
  ['privilege-escalation', 'TA0004'],
  ['defense-evasion', 'TA0005'],
  ['credential-access', 'TA0006'],
  ['discovery', 'TA0007'],
  ['lateral-movement', 'TA0008'],
  ['collection', 'TA0009'],
  ['command-and-control', 'TA0011'],
  ['exfiltration', 'TA0010'],
  ['impact', 'TA0040'],
])

/** Returns the ATT&CK nodes of a technique in a galaxy: one under each tactic that it names. Without a tactic there is no node. */
export function attackNodesOf(meta: Json): string[] {
  const techniques = listOf(meta.external_id).filter((id) => typeof id === 'string' && /^T\d{4}(?:\.\d{3})?$/.test(id))
  const tactics = listOf(meta.kill_chain).flatMap((phase) => {
    const [chain, ...names] = typeof phase === 'string' ? phase.split(':') : []
    const isEnterprise = chain === 'mitre-attack' && !names.some((name) => /mobile|ics/.test(name))
    return (isEnterprise && TACTICS.get(names.at(-1) ?? '')) || []
  })
  return [...new Set(tactics.flatMap((tactic) => techniques.map((technique) => `${tactic}:${technique}`)))]
}
