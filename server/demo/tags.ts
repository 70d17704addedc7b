import { listOf } from './lists.ts'
import { actorName, campaignName, malwareName } from './names.ts'
import type { Random } from './random.ts'
import { SECTORS } from './topics.ts'

const PLAIN = listOf(`
  malware, phishing, ransomware, c2, apt, botnet, espionage, cybercrime, infostealer, credential-theft, osint, loader, rat,
  triage, reviewed, high-priority, exploit, vulnerability, supply-chain, ddos, fraud, cryptomining, insider, ics, mobile,
  cloud, linux, windows, macos, android, dark-web, leak, scanning, brute-force, spam, typosquatting, web-shell, backdoor,
  wiper, hacktivism, banking, pos, iot, vpn, zero-day, n-day, tracked, false-positive, expired, watchlist`)

const SUBJECTS = [
  (rank: number) => `malware:${malwareName(rank).toLowerCase()}`,
  (rank: number) => `actor:${actorName(rank).toLowerCase().replaceAll(' ', '-')}`,
  (rank: number) => `campaign:${campaignName(rank).slice('Operation '.length).toLowerCase().replaceAll(' ', '-')}`,
]

/** The octaves of tags: there are 2^11 - 1. */
const TAG_OCTAVES = 11
const SECTOR_TAGS = SECTORS.map((sector) => `sector:${sector.replaceAll(' ', '-')}`)
const NAMED = PLAIN.length + SECTOR_TAGS.length
const TAGS = Array.from(
  { length: 2 ** TAG_OCTAVES - 1 },
  (_, i) => PLAIN[i] ?? SECTOR_TAGS[i - PLAIN.length] ?? SUBJECTS[i % 3]?.(Math.floor((i - NAMED) / 3)) ?? '',
)

/** One to five distinct tags. */
export function tagsOf(random: Random): string[] {
  const tags = new Set<string>()
  const count = 1 + random.below(5)
  while (tags.size < count) tags.add(TAGS[random.rank(TAG_OCTAVES)] ?? '')
  return [...tags]
}
