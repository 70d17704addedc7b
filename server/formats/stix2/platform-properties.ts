/** Properties of every entity's data that STIX does not define. */
const COMMON = new Set(
  `as_sent attachments custom_attributes custom_entity_type description_structuring_format extracts handling id
  information_source short_description stix timestamp title type`.split(/\s+/),
)

/** Properties of one entity type's data that STIX does not define for it. */
const OWN: Readonly<Record<string, string>> = {
  campaign: 'intended_effects names status',
  'course-of-action': 'coa_type cost efficacy impact objective stage',
  'exploit-target': 'configurations vulnerabilities weaknesses',
  incident: `affected_assets categories contacts coordinators discovery_methods impact_assessment intended_effects reporter
    responders security_compromise status time victims`,
  indicator: 'likely_impact test_mechanisms types',
  report: 'intents',
  'threat-actor': 'identity motivations names planning_and_operational_support planning_and_operational_supports types',
  ttp: 'behavior intended_effects kill_chain_phases resources victim_targeting',
  'vendor-sighting': 'likely_impact security_control',
}

const BY_TYPE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OWN).map(([type, names]) => [type, new Set(names.split(/\s+/))]),
)

/** Whether a property of an entity's data belongs to the platform rather than to the STIX object. */
export const isPlatformProperty = (entityType: string, name: string): boolean =>
  COMMON.has(name) || BY_TYPE.get(entityType)?.has(name) === true
