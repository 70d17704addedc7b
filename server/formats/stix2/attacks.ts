import { isRecord } from '../../domain/record.ts'

const tactics = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  )

/** Maps the kill chain phase names of each matrix to tactic ids. DISARM phases use the framework's own names. */
const TACTICS: ReadonlyMap<unknown, ReadonlyMap<string, string>> = new Map([
  [
    'mitre-attack',
    tactics(`
      reconnaissance=TA0043 resource-development=TA0042 initial-access=TA0001 execution=TA0002 persistence=TA0003
      privilege-escalation=TA0004 defense-evasion=TA0005 credential-access=TA0006 discovery=TA0007 lateral-movement=TA0008
      collection=TA0009 exfiltration=TA0010 command-and-control=TA0011 impact=TA0040

      plan-strategy=TA01 plan-objectives=TA02 microtarget=TA05 develop-content=TA06 select-channels-and-affordances=TA07
      conduct-pump-priming=TA08 deliver-content=TA09 drive-offline-activity=TA10
      persist-in-the-information-environment=TA11 assess-effectiveness=TA12 target-audience-analysis=TA13
      develop-narratives=TA14 establish-assets=TA15 establish-legitimacy=TA16 maximise-exposure=TA17
      drive-online-harms=TA18`),
  ],
  [
    'mitre-mobile-attack',
    tactics(`
      initial-access=TA0027 execution=TA0041 persistence=TA0028 privilege-escalation=TA0029 defense-evasion=TA0030
      credential-access=TA0031 discovery=TA0032 lateral-movement=TA0033 collection=TA0035 command-and-control=TA0037
      exfiltration=TA0036 impact=TA0034`),
  ],
  [
    'mitre-ics-attack',
    tactics(`
      initial-access=TA0108 execution=TA0104 persistence=TA0110 privilege-escalation=TA0111 evasion=TA0103 discovery=TA0102
      lateral-movement=TA0109 collection=TA0100 command-and-control=TA0101 inhibit-response-function=TA0107
      impair-process-control=TA0106 impact=TA0105`),
  ],
])

const SOURCES = new Set<unknown>([...TACTICS.keys(), 'DISARM'])

/** Returns the ATT&CK nodes of an attack pattern: its techniques, each under the tactics of its kill chain phases. */
export function attacksOf(object: Readonly<Record<string, unknown>>): string[] {
  if (object.type !== 'attack-pattern') return []
  const techniques = recordsIn(object.external_references).flatMap(({ source_name, external_id }) =>
    SOURCES.has(source_name) && typeof external_id === 'string' && /^T\d{4}(?:\.\d{3})?$/.test(external_id)
      ? [external_id]
      : [],
  )
  const above = recordsIn(object.kill_chain_phases).flatMap(
    ({ kill_chain_name, phase_name }) => TACTICS.get(kill_chain_name)?.get(String(phase_name)) ?? [],
  )
  return [...new Set(techniques.flatMap((technique) => above.map((tactic) => `${tactic}:${technique}`)))]
}

const recordsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])
