import { listOf } from './lists.ts'
import type { Random } from './random.ts'
import { timeOf } from './time.ts'
import { SECTORS } from './topics.ts'
import { ADJECTIVES, NOUNS } from './words.ts'

type Maker = (random: Random, written: number) => string | number | boolean

const word: Maker = (random) => random.prefer(NOUNS)
const label: Maker = (random) => `${random.prefer(ADJECTIVES)} ${random.prefer(NOUNS)}`
const whole: Maker = (random) => random.rank(16)
const share: Maker = (random) => random.below(1001) / 1000
const flag: Maker = (random) => random.chance(40)
const time: Maker = (random, written) => timeOf(written + random.below(20 * 86_400_000))

function oneOf(choices: readonly string[]): Maker {
  return (random) => random.prefer(choices)
}

function numbered(prefix: string): Maker {
  return (random) => `${prefix}-${10_000 + random.below(90_000)}`
}

const MAKERS: readonly (readonly [name: string, make: Maker])[] = [
  ['x_analyst', oneOf(listOf('a.visser, m.jansen, s.okafor, l.moreau, k.nowak, j.lind, r.costa, y.tanaka'))],
  ['x_team', oneOf(listOf('intelligence, hunting, response, fraud, vulnerability'))],
  ['x_queue', oneOf(listOf('triage, analysis, review, dissemination, archive'))],
  ['x_feed_name', oneOf(listOf('partner-a, sandbox, honeynet, passive-dns, sector-isac, open-source, mail-gateway'))],
  ['x_language', oneOf(listOf('en, nl, de, fr, es, pl, uk, ja'))],
  ['x_severity', oneOf(listOf('medium, low, high, informational, critical'))],
  ['x_workflow_state', oneOf(listOf('new, assessed, published, withdrawn'))],
  ['x_business_unit', oneOf(SECTORS)],
  ['x_detection_stage', oneOf(listOf('production, test, draft, retired'))],
  ['x_collection_method', oneOf(listOf('automatic, manual, partner, enrichment'))],
  ['x_ticket', numbered('INC')],
  ['x_case_id', numbered('CASE')],
  ['x_rule_id', numbered('DET')],
  ['x_requirement', numbered('PIR')],
  ['x_asset_group', label],
  ['x_summary_label', label],
  ['x_playbook', label],
  ['x_keyword', word],
  ['x_object', word],
  ['x_entry_point', word],
  ['x_hit_count', whole],
  ['x_host_count', whole],
  ['x_alert_count', whole],
  ['x_sample_size', whole],
  ['x_ttl_hours', whole],
  ['x_sequence', whole],
  ['x_score', share],
  ['x_risk', share],
  ['x_similarity', share],
  ['x_false_positive_rate', share],
  ['x_is_reviewed', flag],
  ['x_is_shared', flag],
  ['x_is_blocked', flag],
  ['x_has_report', flag],
  ['x_is_internal', flag],
  ['x_reviewed_at', time],
  ['x_received_at', time],
  ['x_next_review_at', time],
  ['x_blocked_at', time],
  ['x_published_at', time],
]

/** Strides that visit every name before one repeats. */
const STRIDES = [1, 3, 7, 9, 11, 13, 17, 19]

/** Up to twenty custom fields. */
export function extrasOf(random: Random, written: number): Record<string, unknown> {
  const extras: Record<string, unknown> = {}
  const count = random.below(21)
  const stride = random.pick(STRIDES)
  let place = random.below(MAKERS.length)
  for (let i = 0; i < count; i++) {
    const [name, make] = MAKERS[place] ?? ['x_keyword', word]
    extras[name] = make(random, written)
    place = (place + stride) % MAKERS.length
  }
  return extras
}
