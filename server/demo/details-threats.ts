import type { Details } from './details.ts'
import { listOf } from './lists.ts'
import { malwareName, NAME_OCTAVES, toolName } from './names.ts'
import type { Random } from './random.ts'
import { timeOf } from './time.ts'
import { PLATFORMS } from './topics.ts'
import { INFINITIVES, NOUNS } from './words.ts'

const MALWARE_TYPES = listOf('trojan, ransomware, backdoor, downloader, spyware, worm, bot, wiper, rootkit, keylogger')
const LANGUAGES = listOf('c++, c, go, rust, powershell, .net, python, delphi, javascript')
const CAPABILITIES = listOf(`
  communicates-with-c2, persists-after-system-reboot, steals-authentication-credentials, exfiltrates-data,
  captures-system-output, evades-av, fingerprints-host, compresses-data, installs-other-components, probes-network`)
const ACTOR_TYPES = listOf('crime-syndicate, nation-state, hacker, activist, spy, insider-disgruntled, competitor')
const MOTIVES = listOf('organizational-gain, personal-gain, ideology, dominance, notoriety, revenge, coercion')
const LEVELS = listOf('team, organization, individual, club, government, contest')
const SKILLS = listOf('intermediate, advanced, minimal, expert, innovator, strategic, none')
const EFFECTS = listOf('Theft, Extortion, Fraud, Disruption, Espionage, Destruction, Harassment, Exposure')
const PHASES = listOf(`
  delivery, exploitation, installation, command-and-control, reconnaissance, weaponization, actions-on-objectives`)

const seen: Details = (_, { firstSeen, lastSeen }) => ({ first_seen: timeOf(firstSeen), last_seen: timeOf(lastSeen) })

/** A phase of an attack. */
export const killChain = (random: Random) => [
  { kill_chain_name: 'lockheed-martin-cyber-kill-chain', phase_name: random.prefer(PHASES) },
]

const goalOf = (random: Random): string => `${random.prefer(INFINITIVES)} the ${random.prefer(NOUNS)}`

const effect = (random: Random) => ({ type: 'intended-effect', value: random.prefer(EFFECTS) })

const otherMalware = (random: Random): string => malwareName(random.rank(NAME_OCTAVES))

/** The fields of threats: actors, their tools and methods. */
export const threatDetails = {
  'threat-actor': (random, cast) => ({
    threat_actor_types: [random.prefer(ACTOR_TYPES)],
    aliases: [cast.actor.toUpperCase(), `Operators of ${cast.malware}`],
    roles: [random.pick(['director', 'agent', 'sponsor', 'malware-author', 'infrastructure-operator'])],
    goals: [goalOf(random), goalOf(random)],
    sophistication: random.prefer(SKILLS),
    resource_level: random.prefer(LEVELS),
    primary_motivation: random.prefer(MOTIVES),
    ...seen(random, cast),
  }),
  campaign: (random, cast) => ({
    names: [{ value: cast.campaign }],
    status: random.pick(['Ongoing', 'Historic', 'Historic', 'Future']),
    intended_effects: [effect(random)],
    objective: goalOf(random),
    ...seen(random, cast),
  }),
  'intrusion-set': (random, cast) => ({
    aliases: [cast.actor.toUpperCase()],
    goals: [goalOf(random)],
    resource_level: random.prefer(LEVELS),
    primary_motivation: random.prefer(MOTIVES),
    secondary_motivations: [random.pick(MOTIVES)],
    ...seen(random, cast),
  }),
  malware: (random, cast) => ({
    malware_types: [random.prefer(MALWARE_TYPES)],
    is_family: random.chance(60),
    aliases: [otherMalware(random)],
    kill_chain_phases: killChain(random),
    implementation_languages: [random.prefer(LANGUAGES)],
    capabilities: [...new Set([random.prefer(CAPABILITIES), random.pick(CAPABILITIES), random.pick(CAPABILITIES)])],
    architecture_execution_envs: [random.pick(['x86-64', 'x86', 'arm', 'mips'])],
    ...seen(random, cast),
  }),
  tool: (random, cast) => ({
    tool_types: [random.pick(['remote-access', 'credential-exploitation', 'network-capture', 'exploitation'])],
    aliases: [toolName(random.rank(NAME_OCTAVES))],
    kill_chain_phases: killChain(random),
    tool_version: `${1 + random.below(5)}.${random.below(20)}`,
    ...seen(random, cast),
  }),
  infrastructure: (random, cast) => ({
    infrastructure_types: [
      random.pick(['command-and-control', 'hosting-malware', 'phishing', 'anonymization', 'botnet']),
    ],
    aliases: [`${cast.malware} servers`],
    kill_chain_phases: killChain(random),
    ...seen(random, cast),
  }),
  'attack-pattern': (random, cast) => ({
    aliases: [cast.technique],
    external_references: [{ source_name: 'capec', external_id: `CAPEC-${9000 + random.below(1000)}` }],
    kill_chain_phases: killChain(random),
  }),
  ttp: (random, cast) => ({
    intended_effects: [effect(random)],
    kill_chain_phases: killChain(random),
    resources: {
      tools: [{ type: 'tool-information', name: cast.tool, version: `${random.below(9)}.${random.below(20)}` }],
      infrastructure: { types: [{ value: random.pick(['Hosting', 'Anonymization', 'Domain Registration']) }] },
    },
    victim_targeting: {
      identity: { type: 'identity', name: cast.organisation },
      targeted_systems: [random.prefer(PLATFORMS)],
    },
  }),
} as const satisfies Record<string, Details>
