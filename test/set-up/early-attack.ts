import { objectsOf, shippedContent, stixIdOf, type Technique } from './attack-bundle.ts'

type Objects = readonly Record<string, unknown>[]

/** A bundle in STIX 2.0: only the bundle says so, and nothing in it has a version. */
export const inStix20 = (objects: Objects): string =>
  JSON.stringify({ type: 'bundle', id: stixIdOf('bundle', '2.0'), spec_version: '2.0', objects })

/** The same in STIX 2.1, with the flags that its publishers write out. */
export const inStix21 = (objects: Objects, matrix: string, version: string): string =>
  JSON.stringify({
    type: 'bundle',
    id: stixIdOf('bundle', '2.1'),
    objects: [
      { type: 'x-mitre-collection', id: stixIdOf('x-mitre-collection', matrix), x_mitre_version: version },
      ...objects.map((object) => ({
        revoked: false,
        x_mitre_deprecated: false,
        ...object,
        spec_version: '2.1',
        x_mitre_domains: [matrix],
      })),
    ],
  })

const isOf = (type: string) => (object: Record<string, unknown>) => object.type === type

const withIds = (source_name: string, objects: Objects): Objects =>
  objects.map((object) => {
    const references = object.external_references as Record<string, unknown>[] | undefined
    return references
      ? { ...object, external_references: references.map((each) => ({ ...each, source_name })) }
      : object
  })

const chain = (kill_chain_name: string, objects: Objects): Objects =>
  objects.map((object) => {
    const phases = object.kill_chain_phases as Record<string, unknown>[] | undefined
    return phases ? { ...object, kill_chain_phases: phases.map((each) => ({ ...each, kill_chain_name })) } : object
  })

/**
 * Mobile like versions 8 to 10: two matrices with one id, no sub-techniques, other sources of ids, and revoked techniques without a tactic. T1400 is revoked
 * over T1401 into T1406.
 */
export async function earlyMobile(): Promise<Objects> {
  const content = await shippedContent('mobile-attack')
  const technique = (id: string, name: string, ...tactics: string[]): Technique => ({ id, name, tactics })
  const techniques = [
    technique('T1406', 'Obfuscated Files', 'defense-evasion'),
    technique('T1437', 'Application Protocol', 'command-and-control', 'exfiltration'),
    technique('T1463', 'Manipulated Traffic', 'network-effects'),
    technique('T1468', 'Tracking without Authorisation', 'remote-service-effects'),
    { ...technique('T1400', 'Changed System Partition'), revokedBy: ['T1401'] },
    { ...technique('T1401', 'Abused Administrator'), revokedBy: ['T1406'] },
  ]
  const tactics = content.tactics.map((tactic) => ({ ...tactic, isDead: false }))
  const objects = objectsOf({ ...content, version: null, tactics, techniques }).map(({ kill_chain_phases, ...each }) =>
    each.revoked === true ? each : { ...each, ...(kill_chain_phases !== undefined && { kill_chain_phases }) },
  )
  const effects = tactics.filter(({ shortName }) => shortName.endsWith('-effects')).map(({ stixId }) => stixId)
  const divided = objects.flatMap((object) => {
    if (!isOf('x-mitre-matrix')(object)) return [object]
    const all = object.tactic_refs as string[]
    return [
      { ...object, id: stixIdOf('x-mitre-matrix', 'effects'), name: 'Network-Based Effects', tactic_refs: effects },
      { ...object, name: 'Device Access', tactic_refs: all.filter((id) => !effects.includes(id)) },
    ]
  })
  return chain('mitre-mobile-attack', [
    ...divided.filter((object) => !isOf('attack-pattern')(object)),
    ...withIds('mitre-mobile-attack', divided.filter(isOf('attack-pattern'))),
  ])
}

/** ICS like version 8: its matrix has an id of its own, an id is misprinted, and techniques name data sources in words. */
export async function earlyIcs(): Promise<Objects> {
  const content = await shippedContent('ics-attack')
  const objects = objectsOf({
    ...content,
    version: null,
    tactics: content.tactics.map((tactic) => ({ ...tactic, shortName: `${tactic.shortName}-ics` })),
    techniques: content.techniques
      .filter(({ revokedBy, isDeprecated }) => !revokedBy && !isDeprecated)
      .map((each) => ({ ...each, tactics: each.tactics.map((name) => `${name}-ics`) })),
    mitigations: [{ id: 'M0801', name: 'Access Management', against: ['T0800'] }],
  })
  const misprinted = { T0800: '0T800', 'ics-attack': 'MA0010' } as Readonly<Record<string, string>>
  return chain('mitre-ics-attack', withIds('mitre-ics-attack', objects)).map((object) => {
    const [reference] = (object.external_references ?? []) as { external_id: string }[]
    return {
      ...object,
      ...(reference && {
        external_references: [
          { ...reference, external_id: misprinted[reference.external_id] ?? reference.external_id },
        ],
      }),
      ...(isOf('attack-pattern')(object) && { x_mitre_data_sources: ['Packet capture', 'Alarm history'] }),
    }
  })
}

/** ICS like versions 11 to 17: data components of data sources detect techniques, and there is a mitigation of Enterprise. */
export async function icsWithDataSources(): Promise<Objects> {
  const content = await shippedContent('ics-attack')
  const source = stixIdOf('x-mitre-data-source', 'DS0029')
  const component = stixIdOf('x-mitre-data-component', 'Network Traffic Flow')
  const detects = (id: string) => ({
    type: 'relationship',
    id: stixIdOf('relationship', `detects ${id}`),
    relationship_type: 'detects',
    source_ref: component,
    target_ref: content.techniques.find((each) => each.id === id)?.stixId ?? '',
    description: 'Watch for flows.',
  })
  return [
    ...objectsOf({ ...content, version: null }),
    {
      type: 'course-of-action',
      id: stixIdOf('course-of-action', 'of Enterprise'),
      name: 'Password Policies',
      external_references: [{ source_name: 'mitre-attack', external_id: 'M1027' }],
      x_mitre_domains: ['enterprise-attack'],
    },
    { type: 'x-mitre-data-source', id: source, name: 'Network Traffic', external_references: [] },
    { type: 'x-mitre-data-component', id: component, name: 'Network Traffic Flow', x_mitre_data_source_ref: source },
    detects('T0806'),
    detects('T0831'),
  ]
}

/** PRE-ATT&CK, which became tactics of Enterprise in version 8. */
export const preAttack = (): Objects => [
  {
    type: 'x-mitre-matrix',
    id: stixIdOf('x-mitre-matrix', 'pre-attack'),
    name: 'PRE-ATT&CK',
    external_references: [{ source_name: 'mitre-attack', external_id: 'pre-attack' }],
    tactic_refs: [],
    x_mitre_deprecated: true,
  },
]
